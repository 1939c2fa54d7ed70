// PUBSUB CHANNELS [pattern]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Names the channels that have subscribers.</summary>
internal sealed class PubSubChannelsCommand(MessageHub messages)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CHANNELS",
        Arity = -2,
        Flags = CommandFlags.PubSub | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.PubSub,
        Since = "2.8.0",
        MakeHandler = static parts => new PubSubChannelsCommand(parts.Get<MessageHub>()).Execute,
    };

    private void Execute(ref CommandContext context) => ChannelNames.Write(ref context, messages, TopicKind.Channel);
}
