// FLUSHALL [ASYNC | SYNC]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Removes all keys of all databases. A save in progress is cancelled, as in Valkey; with a schedule, the reply waits until an empty
/// snapshot is on disk, so that the old data does not come back after a restart.
/// </summary>
internal sealed class FlushAllCommand(ServerPersistence persistence, ServerConfiguration configuration)
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
        MakeHandler = static parts => new FlushAllCommand(parts.Get<ServerPersistence>(), parts.Get<ServerConfiguration>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (!FlushMode.IsValid(ref context) || !context.Client.Executor.TryBeginAlone(ref context))
            return;
        context.Store.Store.Databases.FlushAll(context.Store);
        // As in Valkey even if there was nothing.
        context.KeepEffect();
        SnapshotKeeper snapshots = persistence.Snapshots;
        snapshots.Cancel();
        bool saves = configuration.Current.Save.Count > 0;
        if (saves && context.MayBlock && !persistence.IsLoading)
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
