// The parts of a server that commands are made of. Filled while the server is composed; read by its commands when they are bound.
using Garnet.Engine.Execution;

namespace Garnet.Engine.Requests;

/// <summary>
/// What <see cref="CommandDescriptor.MakeHandler"/> chooses from: each part under its own type, so that the model of commands need not
/// know any of them.
/// </summary>
internal sealed class CommandParts
{
    private readonly Dictionary<Type, object> _parts = [];

    /// <summary>Adds a part under its type. At most one of each.</summary>
    public CommandParts Add<T>(T part)
        where T : class
    {
        _parts.Add(typeof(T), part);
        return this;
    }

    /// <summary>The part of a type.</summary>
    /// <exception cref="InvalidOperationException">The server has no such part.</exception>
    public T Get<T>()
        where T : class =>
        _parts.TryGetValue(typeof(T), out object? part)
            ? (T)part
            : throw new InvalidOperationException(
                $"Commands cannot have a {typeof(T).Name}: Composition/CommandPartList.cs does not add it."
            );
}
