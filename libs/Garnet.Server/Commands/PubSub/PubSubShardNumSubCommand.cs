// PUBSUB SHARDNUMSUB [shardchannel [shardchannel ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Replies with the numbers of subscribers of shard channels.</summary>
internal sealed class PubSubShardNumSubCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHARDNUMSUB",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        MakeHandler = static parts => new PubSubShardNumSubCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) => SubscriberCounts.Write(ref context, messages, TopicKind.ShardChannel);
}
