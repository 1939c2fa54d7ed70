// A receiver of messages, with its subscriptions. Its sets are changed by its own thread; other threads read their counts.
using Garnet.Engine.Clients;

namespace Garnet.Server.Messaging;

/// <summary>
/// Belongs to the lane of the thread on which it first subscribed. It ends as a whole: from then on nothing is delivered, and its
/// subscriptions are removed in the background when they are many.
/// </summary>
internal abstract class Subscriber : ClientPart
{
    private volatile bool _isEnded;
    private ReferenceSet<Topic> _channels;
    private ReferenceSet<Topic> _patterns;
    private ReferenceSet<Topic> _shardChannels;

    /// <summary>Where its messages wait; null before the first subscription.</summary>
    public DeliveryLane? Lane { get; set; }

    /// <summary>
    /// While the subscriber moves to <see cref="Lane"/>: the lane that still has some of its subscriptions; else null.
    /// </summary>
    public DeliveryLane? FormerLane { get; set; }

    /// <summary>The next subscriber of the lane.</summary>
    public Subscriber? Next { get; set; }

    /// <summary>The previous subscriber of the lane.</summary>
    public Subscriber? Previous { get; set; }

    /// <summary>In the lane's list of subscribers that were written to.</summary>
    public bool IsTouched { get; set; }

    /// <summary>True once nothing is to be delivered any more.</summary>
    public bool IsEnded => _isEnded;

    /// <summary>Subscriptions to channels.</summary>
    public int Channels => _channels.Count;

    /// <summary>Subscriptions to patterns.</summary>
    public int Patterns => _patterns.Count;

    /// <summary>Subscriptions to shard channels.</summary>
    public int ShardChannels => _shardChannels.Count;

    /// <summary>All subscriptions.</summary>
    public int Total => Channels + Patterns + ShardChannels;

    /// <summary>Bytes of the sets, which is what Valkey counts as the client's.</summary>
    public override long MemoryBytes => _channels.MemoryBytes + _patterns.MemoryBytes + _shardChannels.MemoryBytes;

    /// <summary>The thread whose lane it should be on; -1 for none.</summary>
    public abstract int OwnerId { get; }

    /// <summary>The subscriptions of a kind.</summary>
    public ref ReferenceSet<Topic> Topics(TopicKind kind)
    {
        if (kind == TopicKind.Channel)
            return ref _channels;
        if (kind == TopicKind.Pattern)
            return ref _patterns;
        return ref _shardChannels;
    }

    /// <summary>The number of subscriptions shown in a reply to a command about this kind: shard channels are counted separately.</summary>
    public int CountFor(TopicKind kind) => kind == TopicKind.ShardChannel ? ShardChannels : Channels + Patterns;

    /// <summary>Delivers nothing from now on.</summary>
    public void End() => _isEnded = true;

    /// <summary>Runs an action on the subscriber's thread.</summary>
    public abstract void Post(Action<object?> action, object? state);

    /// <summary>
    /// Takes messages, under the lane's lock; never waits. Returns the bytes written at once, after which <see cref="Flush"/> must follow;
    /// 0 when they were kept for later.
    /// </summary>
    public abstract int Receive(ref Delivery delivery);

    /// <summary>
    /// Moves its subscriptions if its connection now belongs to another thread than when it first subscribed, which happens when the number
    /// of threads changes. Any thread.
    /// </summary>
    public virtual void FollowConnection() { }

    /// <summary>Sends what was written.</summary>
    public abstract void Flush();
}
