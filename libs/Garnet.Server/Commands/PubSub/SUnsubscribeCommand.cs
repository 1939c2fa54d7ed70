// SUNSUBSCRIBE [shardchannel [shardchannel ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Ends subscriptions to shard channels.</summary>
internal sealed class SUnsubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SUNSUBSCRIBE",
        Arity = -1,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.NotKey)],
        MakeHandler = static parts => new SUnsubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        SubscriptionChange.Unsubscribe(ref context, messages, TopicKind.ShardChannel, "sunsubscribe"u8);
}
