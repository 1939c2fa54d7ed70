// CLUSTER KEYSLOT key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Replies with the hash slot of a key.</summary>
internal static class ClusterKeySlotCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KEYSLOT",
        Arity = 3,
        Flags = CommandFlags.Stale,
        Group = CommandGroup.Cluster,
        Since = "3.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(KeySlot.Of(context[2]));
}
