// SUBSCRIBE channel [channel ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Subscribes to channels.</summary>
internal sealed class SubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SUBSCRIBE",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "2.0.0",
        Channels = new(),
        MakeHandler = static parts => new SubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        SubscriptionChange.Subscribe(ref context, messages, TopicKind.Channel, "subscribe"u8);
}
