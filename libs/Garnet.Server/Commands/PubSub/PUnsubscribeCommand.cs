// PUNSUBSCRIBE [pattern [pattern ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Ends subscriptions to patterns.</summary>
internal sealed class PUnsubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PUNSUBSCRIBE",
        Arity = -1,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "2.0.0",
        MakeHandler = static parts => new PUnsubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        SubscriptionChange.Unsubscribe(ref context, messages, TopicKind.Pattern, "punsubscribe"u8);
}
