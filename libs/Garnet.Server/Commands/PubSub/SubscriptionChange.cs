// What the commands that change subscriptions have in common. Stateless; on the client's thread.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Messaging;

namespace Garnet.Server.Commands.PubSub;

/// <summary>
/// Each name is answered by itself, as an array of the command's word, the name and the remaining number of subscriptions. As in Valkey
/// these answers are pushes in RESP3, and are sent even if CLIENT REPLY has turned replies off.
/// </summary>
internal static class SubscriptionChange
{
    /// <summary>Subscribes to every argument.</summary>
    public static void Subscribe(ref CommandContext context, MessageHub messages, TopicKind kind, ReadOnlySpan<byte> word)
    {
        ClientSession client = context.Client;
        Subscriber subscriber = client.Subscriber ??= new ClientSubscriber(client, messages);
        for (int i = 1; i < context.Count; i++)
        {
            messages.Subscribe(subscriber, kind, context[i]);
            client.Output.Class = OutputClass.PubSub;
            DeniedSubscribers.Recheck(client, kind, context[i]);
            Answer(ref context, word, context[i], subscriber.CountFor(kind));
        }
    }

    /// <summary>Ends the subscriptions to the arguments, or all of the kind when there are none.</summary>
    public static void Unsubscribe(ref CommandContext context, MessageHub messages, TopicKind kind, ReadOnlySpan<byte> word)
    {
        ClientSession client = context.Client;
        if (context.Count > 1)
        {
            for (int i = 1; i < context.Count; i++)
                Unsubscribe(ref context, messages, kind, word, context[i]);
        }
        else if (client.Subscriber is { } subscriber && subscriber.Topics(kind).Count > 0)
        {
            foreach (Topic? topic in subscriber.Topics(kind).Slots.ToArray())
            {
                if (topic is not null)
                    Unsubscribe(ref context, messages, kind, word, topic.Name);
            }
        }
        else
        {
            AnswerNull(ref context, word, client.Subscriber?.CountFor(kind) ?? 0);
        }

        if (client.Subscriber is { Total: 0 })
            client.Output.Class = OutputClass.Normal;
    }

    private static void Unsubscribe(
        ref CommandContext context,
        MessageHub messages,
        TopicKind kind,
        ReadOnlySpan<byte> word,
        ReadOnlySpan<byte> name
    )
    {
        ClientSession client = context.Client;
        bool hasEnded = client.Subscriber is { } subscriber && messages.Unsubscribe(subscriber, kind, name);
        if (hasEnded && !client.Transactions.IsExecuting)
            client.Session?.WriteOwnMessages(ref context);
        Answer(ref context, word, name, client.Subscriber?.CountFor(kind) ?? 0);
    }

    private static void Answer(ref CommandContext context, ReadOnlySpan<byte> word, ReadOnlySpan<byte> name, int count)
    {
        bool isSuppressed = Begin(ref context, word);
        context.Reply.WriteBulk(name);
        context.Reply.WriteInteger(count);
        context.Reply.Suppressed = isSuppressed;
    }

    private static void AnswerNull(ref CommandContext context, ReadOnlySpan<byte> word, int count)
    {
        bool isSuppressed = Begin(ref context, word);
        context.Reply.WriteNull();
        context.Reply.WriteInteger(count);
        context.Reply.Suppressed = isSuppressed;
    }

    private static bool Begin(ref CommandContext context, ReadOnlySpan<byte> word)
    {
        bool isSuppressed = context.Reply.Suppressed;
        context.Reply.Suppressed = false;
        context.Reply.WritePush(3);
        context.Reply.WriteBulk(word);
        return isSuppressed;
    }
}
