// SYNC
using Garnet.Server.CommandModel;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>Makes the client a replica as in old versions, which tools still are: it receives all data, and acknowledges nothing.</summary>
internal static class SyncCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SYNC",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.NoMulti,
        Group = CommandGroup.Server,
        Traits = CommandTraits.OfConnection,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Client.Output.Replica is { State: not ReplicaLinkState.None } || !PsyncCommand.MaySync(ref context))
            return;
        PsyncCommand.SyncAll(
            ref context,
            context.Client.Output.Replica ??= context.Server.Replication.NewLink(context.Client),
            wasRefused: false
        );
    }
}
