// FLUSHDB [ASYNC | SYNC]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Removes all keys of the database.</summary>
internal static class FlushDbCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FLUSHDB",
        Arity = -1,
        Flags = CommandFlags.Write | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!FlushMode.IsValid(ref context) || !context.Client.Executor.TryBeginAlone(ref context))
            return;
        context.Store.Store.Databases.Flush(context.Store, context.Store.Database);
        // As in Valkey even if there was nothing.
        context.KeepEffect();
        context.Reply.WriteOk();
    }
}
