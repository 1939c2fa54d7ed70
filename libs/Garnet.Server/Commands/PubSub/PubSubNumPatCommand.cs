// PUBSUB NUMPAT
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Replies with the number of patterns that have subscribers.</summary>
internal sealed class PubSubNumPatCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NUMPAT",
        Arity = 2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        MakeHandler = static parts => new PubSubNumPatCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) => context.Reply.WriteInteger(messages.CountOf(TopicKind.Pattern));
}
