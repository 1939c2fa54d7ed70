// UNSUBSCRIBE [channel [channel ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Ends subscriptions to channels.</summary>
internal sealed class UnsubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNSUBSCRIBE",
        Arity = -1,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "2.0.0",
        MakeHandler = static parts => new UnsubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        SubscriptionChange.Unsubscribe(ref context, messages, TopicKind.Channel, "unsubscribe"u8);
}
