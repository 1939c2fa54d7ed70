// SUBSCRIBE channel [channel ...]
using Garnet.Server.CommandModel;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Subscribes to channels.</summary>
internal static class SubscribeCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SubscriptionChange.Subscribe(ref context, TopicKind.Channel, "subscribe"u8);
}
