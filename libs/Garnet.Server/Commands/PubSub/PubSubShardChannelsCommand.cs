// PUBSUB SHARDCHANNELS [pattern]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Names the shard channels that have subscribers.</summary>
internal sealed class PubSubShardChannelsCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHARDCHANNELS",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        MakeHandler = static parts => new PubSubShardChannelsCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) => ChannelNames.Write(ref context, messages, TopicKind.ShardChannel);
}
