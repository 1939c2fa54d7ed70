// SAVE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Server;

/// <summary>
/// As BGSAVE, but as fast as possible, and with a reply when the snapshot is durable. Unlike in Valkey, other clients are served meanwhile.
/// </summary>
internal sealed class SaveCommand(ServerPersistence persistence)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SAVE",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.NoMulti,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        MakeHandler = static parts => new SaveCommand(parts.Get<ServerPersistence>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (persistence.Snapshots.TryBegin(context.Store, isUrgent: true, out Task<SaveOutcome> done))
            context.Suspend(new SaveWait(done));
        else
            context.Reply.WriteError(BgSaveCommand.AlreadySaving);
    }
}
