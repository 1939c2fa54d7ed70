// The effects of several commands that run as one: a transaction or a script. Used by the thread that runs them.
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>
/// Puts a SELECT before effects in another database than the effects before them, and ends where it began, because nothing tells the
/// reader of the stream that the client has selected another database.
/// </summary>
/// <param name="database">The database in which it begins.</param>
internal struct EffectScope(int database)
{
    private readonly int _first = database;
    private int _current = database;
    private int _selects;

    /// <summary>Whether a command may have effects, so that <see cref="Follow"/> must be called before it runs.</summary>
    public static bool MayHaveEffects(ref CommandContext context, Command command) =>
        context.HasSink && (command.Flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;

    /// <summary>Selects the client's database for the effects that follow.</summary>
    public void Follow(ClientSession client)
    {
        if (client.Store.Database == _current)
            return;
        _current = client.Store.Database;
        _selects++;
        Select(client, _current);
    }

    /// <summary>Whether the client has gathered other effects than selected databases.</summary>
    /// <param name="client">The client.</param>
    /// <param name="before">The number of effects before the scope.</param>
    public readonly bool HasEffects(ClientSession client, int before = 0) => client.Propagation.Effects.Count - before > _selects;

    /// <summary>Selects the database again in which the scope began.</summary>
    public readonly void Return(ClientSession client)
    {
        if (_current != _first)
            Select(client, _first);
    }

    private static void Select(ClientSession client, int selected) => client.Propagation.Effects.Begin(2).Add("SELECT"u8).Add(selected);
}
