// PSUBSCRIBE pattern [pattern ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Subscribes to all channels whose names match patterns.</summary>
internal sealed class PSubscribeCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PSUBSCRIBE",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Traits = CommandTraits.OfConnection | CommandTraits.ForSubscribers,
        Since = "2.0.0",
        Channels = new(ArePatterns: true),
        MakeHandler = static parts => new PSubscribeCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        SubscriptionChange.Subscribe(ref context, messages, TopicKind.Pattern, "psubscribe"u8);
}
