// PUBSUB SHARDCHANNELS [pattern]
using Garnet.Server.CommandModel;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Names the shard channels that have subscribers.</summary>
internal static class PubSubShardChannelsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHARDCHANNELS",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ChannelNames.Write(ref context, TopicKind.ShardChannel);
}
