// The table of cluster commands.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Registers the commands that cluster-aware clients send to any server.</summary>
internal static class ClusterCommands
{
    public static CommandDescriptor[] All =>
        [AskingCommand.Descriptor, ClusterCommand.Descriptor, ReadOnlyCommand.Descriptor, ReadWriteCommand.Descriptor];
}
