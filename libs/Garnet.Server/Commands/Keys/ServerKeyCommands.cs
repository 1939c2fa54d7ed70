// The table of commands on keys and databases that need files, replicas or other servers.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Keys;

/// <summary>Registers them.</summary>
internal static class ServerKeyCommands
{
    public static CommandDescriptor[] All =>
        [
            DumpCommand.Descriptor,
            FlushAllCommand.Descriptor,
            MigrateCommand.Descriptor,
            RestoreCommand.Descriptor,
            RestoreAskingCommand.Descriptor,
            WaitCommand.Descriptor,
            WaitAofCommand.Descriptor,
        ];
}
