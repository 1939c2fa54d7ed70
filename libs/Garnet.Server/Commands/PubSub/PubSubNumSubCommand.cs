// PUBSUB NUMSUB [channel [channel ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Replies with the numbers of subscribers of channels.</summary>
internal sealed class PubSubNumSubCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "NUMSUB",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        MakeHandler = static parts => new PubSubNumSubCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) => SubscriberCounts.Write(ref context, messages, TopicKind.Channel);
}
