// MOVE key db
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Moves a key to another database unless that contains a key of the same name.</summary>
internal static class MoveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MOVE",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.Fast | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        FindDatabases = static (in CommandContext _, int _, List<int> databases) => databases.Add(2),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!Int32Argument.TryGetDatabase(ref context, 2, out int database))
            return;
        if (database == context.Store.Database)
            context.Reply.WriteError(ErrorText.SameObject);
        else
            context.Reply.WriteInteger(TryMove(ref context, database) ? 1 : 0);
    }

    private static bool TryMove(ref CommandContext context, int database)
    {
        ulong sourceHash = context.Hash(1);
        ulong targetHash = context.Store.Hash(context[1]);
        context.LatchKeys([new KeyReference(context.Store.Database, sourceHash), new KeyReference(database, targetHash)]);
        RecordHandle source = context.Open(1);
        if (!source.Exists)
            return false;
        RecordHandle target = context.Store.Open(database, context[1], targetHash);
        if (target.Exists)
            return false;
        context.NotifyInsteadOfDel(null);
        RecordTransfer.Move(ref source, ref target);
        context.Notify(KeyEvents.MoveFrom, 1);
        context.Notify(KeyEvents.MoveTo, database, 1);
        return true;
    }
}
