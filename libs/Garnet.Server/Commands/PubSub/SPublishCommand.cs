// SPUBLISH shardchannel message
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;
using Garnet.Server.Notifications;
using Garnet.Server.Replication;
using Garnet.Store;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Sends a message to the subscribers of a shard channel, and replies with their number.</summary>
internal sealed class SPublishCommand(MessageHub messages, ServerReplication replication, KeyNotifications notifications)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SPUBLISH",
        Arity = 3,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.MayReplicate,
        Group = CommandGroup.PubSub,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.NotKey)],
        Channels = new(IsOne: true),
        MakeHandler = static parts =>
            new SPublishCommand(parts.Get<MessageHub>(), parts.Get<ServerReplication>(), parts.Get<KeyNotifications>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        notifications.PublishEvents(ref context);
        ValueBlock block = context.ShareBlock(2);
        int receivers = messages.PublishToShard(
            PublishedLanes.OfThread.Of(context.Scratch),
            context[1],
            context[2],
            block,
            context.Client.Subscriber
        );
        block.Release();
        MessageEffect.PassOn(ref context, replication, "SPUBLISH"u8);
        context.Reply.WriteInteger(receivers);
    }
}
