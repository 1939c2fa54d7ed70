// CLUSTER <subcommand>
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Replies with Valkey's error of a server that is not part of a cluster, by which clients and tools find that out.</summary>
internal static class ClusterCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CLUSTER",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Cluster,
        Since = "3.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteError("ERR This instance has cluster support disabled"u8);
}
