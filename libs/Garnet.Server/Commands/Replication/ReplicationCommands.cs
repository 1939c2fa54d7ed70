// The table of the commands about primaries and replicas.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Replication;

/// <summary>Registers the commands about replication.</summary>
internal static class ReplicationCommands
{
    public static CommandDescriptor[] All =>
        [
            FailoverCommand.Descriptor,
            PsyncCommand.Descriptor,
            ReplConfCommand.Descriptor,
            ReplicaOfCommand.Descriptor,
            RoleCommand.Descriptor,
            SlaveOfCommand.Descriptor,
            SyncCommand.Descriptor,
        ];
}
