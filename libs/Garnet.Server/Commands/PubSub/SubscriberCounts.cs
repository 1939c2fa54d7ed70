// The reply of PUBSUB NUMSUB and SHARDNUMSUB. Stateless.
using Garnet.Engine.Execution;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>Numbers of subscribers of the channels given.</summary>
internal static class SubscriberCounts
{
    /// <summary>Writes each channel and its number alternately.</summary>
    public static void Write(ref CommandContext context, MessageHub messages, TopicKind kind)
    {
        context.Reply.WriteArray((context.Count - 2) * 2);
        for (int i = 2; i < context.Count; i++)
        {
            context.Reply.WriteBulk(context[i]);
            context.Reply.WriteInteger(messages.SubscribersOf(kind, context[i]));
        }
    }
}
