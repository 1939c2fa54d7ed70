// FLUSHALL [ASYNC | SYNC]
using Garnet.Server.CommandModel;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Removes all keys of all databases. A save in progress is cancelled, as in Valkey; with a schedule, the reply waits until an empty
/// snapshot is on disk, so that the old data does not come back after a restart.
/// </summary>
internal static class FlushAllCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FLUSHALL",
        Arity = -1,
        Flags = CommandFlags.Write | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Traits = CommandTraits.ChangesEveryDatabase,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!FlushMode.IsValid(ref context) || !context.Server.Executor.TryBeginAlone(ref context))
            return;
        context.Server.Store.Databases.FlushAll(context.Store);
        // As in Valkey even if there was nothing.
        context.KeepEffect();
        SnapshotKeeper snapshots = context.Server.Persistence.Snapshots;
        snapshots.Cancel();
        bool saves = context.Server.Configuration.Current.Save.Count > 0;
        if (saves && context.MayBlock && !context.Server.Persistence.IsLoading)
        {
            context.Suspend(new FlushWait(snapshots));
            return;
        }

        // Within a transaction or a replay nothing can wait.
        if (saves)
            snapshots.Schedule();
        context.Reply.WriteOk();
    }
}
