// PUBLISH channel message
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Sends a message to the subscribers of a channel, and replies with their number.</summary>
internal static class PublishCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PUBLISH",
        Arity = 3,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.MayReplicate,
        Group = CommandGroup.PubSub,
        Since = "2.0.0",
        Channels = new(IsOne: true),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.PublishEvents();
        ValueBlock block = context.ShareBlock(2);
        int receivers = context.Server.Messages.Publish(context.Batch.Published, context[1], context[2], block, context.Client.Subscriber);
        block.Release();
        MessageEffect.PassOn(ref context, "PUBLISH"u8);
        context.Reply.WriteInteger(receivers);
    }
}
