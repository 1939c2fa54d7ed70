// The move of a subscriber's subscriptions to the lane of its new thread. On that thread.
namespace Garnet.Server.Messaging;

/// <summary>
/// Topic by topic: with the lock of its table held, what waits on either lane is delivered before the subscription changes over, so that no
/// message is lost or arrives twice. Subscriptions that begin meanwhile are on the new lane already.
/// </summary>
internal sealed class SubscriberMove(MessageHub hub, Subscriber subscriber, (TopicKind Kind, Topic Topic)[] topics)
{
    private const int TopicsAtOnce = 500;

    private int _next;

    /// <summary>The subscriber that moves.</summary>
    public Subscriber Subscriber => subscriber;

    /// <summary>Moves some topics; true when all are done.</summary>
    public bool MoveSome()
    {
        for (int left = TopicsAtOnce; left > 0 && _next < topics.Length && !subscriber.IsEnded; left--)
        {
            (TopicKind kind, Topic topic) = topics[_next++];
            hub.MoveTopic(subscriber, kind, topic);
        }

        if (_next < topics.Length && !subscriber.IsEnded)
            return false;
        hub.EndMove(subscriber);
        return true;
    }
}
