// PUBLISH channel message
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;
using Garnet.Server.Notifications;
using Garnet.Server.Replication;
using Garnet.Store;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Sends a message to the subscribers of a channel, and replies with their number.</summary>
internal sealed class PublishCommand(MessageHub messages, ServerReplication replication, KeyNotifications notifications)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PUBLISH",
        Arity = 3,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.MayReplicate,
        Group = CommandGroup.PubSub,
        Since = "2.0.0",
        Channels = new(IsOne: true),
        MakeHandler = static parts =>
            new PublishCommand(parts.Get<MessageHub>(), parts.Get<ServerReplication>(), parts.Get<KeyNotifications>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        notifications.PublishEvents(ref context);
        ValueBlock block = context.ShareBlock(2);
        int receivers = messages.Publish(
            PublishedLanes.OfThread.Of(context.Scratch),
            context[1],
            context[2],
            block,
            context.Client.Subscriber
        );
        block.Release();
        MessageEffect.PassOn(ref context, replication, "PUBLISH"u8);
        context.Reply.WriteInteger(receivers);
    }
}
