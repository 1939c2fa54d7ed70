// SYNC
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>Makes the client a replica as in old versions, which tools still are: it receives all data, and acknowledges nothing.</summary>
internal sealed class SyncCommand(ServerReplication replication, RoleChanges roles)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SYNC",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.NoMulti,
        Group = CommandGroup.Server,
        Traits = CommandTraits.OfConnection,
        Since = "1.0.0",
        MakeHandler = static parts => new SyncCommand(parts.Get<ServerReplication>(), parts.Get<RoleChanges>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Client.Output.Replica is { State: not ReplicaLinkState.None } || !PsyncCommand.MaySync(ref context, replication, roles))
            return;
        PsyncCommand.SyncAll(
            ref context,
            replication,
            context.Client.Output.Replica ??= replication.NewLink(context.Client),
            wasRefused: false
        );
    }
}
