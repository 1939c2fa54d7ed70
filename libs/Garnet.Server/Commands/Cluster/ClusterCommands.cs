// The table of commands for clusters.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Registers what a server outside of clusters answers to clients that can do with one.</summary>
internal static class ClusterCommands
{
    public static CommandDescriptor[] All => [AskingCommand.Descriptor, ReadOnlyCommand.Descriptor, ReadWriteCommand.Descriptor];
}
