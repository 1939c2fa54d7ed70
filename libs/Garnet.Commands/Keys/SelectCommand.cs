// SELECT index
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Selects the database for the client's next commands.</summary>
internal static class SelectCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SELECT",
        Arity = 2,
        Flags = CommandFlags.AllowBusy | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.OfConnection | CommandTraits.SelectsDatabase,
        Since = "1.0.0",
        FindDatabases = static (in CommandContext _, int _, List<int> databases) => databases.Add(1),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!Int32Argument.TryGetDatabase(ref context, 1, out int database))
            return;
        context.Store.Database = database;
        context.Reply.WriteOk();
    }
}
