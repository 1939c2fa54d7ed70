// PUBSUB NUMPAT
using Garnet.Server.CommandModel;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Replies with the number of patterns that have subscribers.</summary>
internal static class PubSubNumPatCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NUMPAT",
        Arity = 2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        context.Reply.WriteInteger(context.Server.Messages.CountOf(TopicKind.Pattern));
}
