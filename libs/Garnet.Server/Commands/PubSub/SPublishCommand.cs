// SPUBLISH shardchannel message
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Sends a message to the subscribers of a shard channel, and replies with their number.</summary>
internal static class SPublishCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.PublishEvents();
        ValueBlock block = context.ShareBlock(2);
        int receivers = context.Server.Messages.PublishToShard(
            context.Batch.Published,
            context[1],
            context[2],
            block,
            context.Client.Subscriber
        );
        block.Release();
        MessageEffect.PassOn(ref context, "SPUBLISH"u8);
        context.Reply.WriteInteger(receivers);
    }
}
