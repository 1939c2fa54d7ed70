// A command that a module calls or replicates. Immutable.
using System.Text;
using Garnet.Engine.Execution;

namespace Garnet.Modules;

/// <summary>
/// A command that was found once, when the module was loaded, instead of by its name at every call. Valid for the server that it came from,
/// until the module is unloaded that has the command; calls fail then.
/// </summary>
public sealed class CommandToken
{
    internal CommandToken(Command command)
    {
        Command = command;
        Words = (command.Parent is { } parent ? $"{parent.Descriptor.Name} {command.Descriptor.Name}" : command.Descriptor.Name)
            .Split(' ')
            .Select(Encoding.ASCII.GetBytes)
            .ToArray();
        Encoded = Encoding.ASCII.GetBytes(
            string.Concat(Words.Select(static word => $"${word.Length}\r\n{Encoding.ASCII.GetString(word)}\r\n"))
        );
    }

    /// <summary>The name in lower case, as in <c>config|get</c>.</summary>
    public string Name => Command.FullName;

    internal Command Command { get; }

    /// <summary>The command's name, and the subcommand's.</summary>
    internal byte[][] Words { get; }

    /// <summary>Both as arguments in RESP.</summary>
    internal byte[] Encoded { get; }
}
