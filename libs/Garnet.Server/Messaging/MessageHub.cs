// Publish and subscribe: the subscriptions, and the path of a message to its subscribers. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Server.Messaging;

/// <summary>
/// Locks are taken in this order: one table's (of a shard of channels, or of the patterns), then one lane's. A subscription changes with
/// both held, after what waits on the lane has been delivered; a message is passed to lanes under the table's. So a subscriber receives
/// every message from its subscription on, and none from before or after.
/// </summary>
internal sealed class MessageHub
{
    /// <summary>Payloads from this size on are referenced, not copied.</summary>
    public const int ReferencedBytes = HeldArguments.BlockBytes;

    // Subscriptions removed at once; more are removed in the background.
    private const int RemovedAtOnce = 256;

    private const int Shards = 64;

    private static readonly TopicKind[] Kinds = [TopicKind.Channel, TopicKind.Pattern, TopicKind.ShardChannel];

    private readonly HybridLogStore _store;
    private readonly ThreadScratchPool _threads;
    private readonly TopicTable _channels;
    private readonly TopicTable _shardChannels;
    private readonly PatternTable _patterns;
    private readonly ConcurrentDictionary<int, DeliveryLane> _lanes = new();
    private long _published;
    private int _isMoving; // a subscriber is moving between lanes
    private long _stamp; // of the last message published meanwhile

    public MessageHub(HybridLogStore store, ThreadScratchPool threads)
    {
        _store = store;
        _threads = threads;
        KeyHash hash = new(BitConverter.ToUInt64(SecureRandom.Bytes(sizeof(ulong))));
        _channels = new TopicTable(Shards, hash, static (name, hash) => new Topic(name, hash));
        _shardChannels = new TopicTable(Shards, hash, static (name, hash) => new Topic(name, hash));
        _patterns = new PatternTable(hash);
    }

    /// <summary>Whether there is any subscription to a channel or a pattern: without one a message need not even be framed.</summary>
    public bool HasSubscribers => _channels.Count != 0 || _patterns.Topics.Count != 0;

    /// <summary>Messages published, including those without subscribers.</summary>
    public long Published => Volatile.Read(ref _published);

    /// <summary>Messages delivered, counted once for each subscriber.</summary>
    public long Delivered => _lanes.Values.Sum(static lane => lane.Deliveries);

    /// <summary>Bytes of messages that wait for another thread.</summary>
    public long QueuedBytes => _lanes.Values.Sum(static lane => lane.QueuedBytes);

    /// <summary>Channels, patterns or shard channels with subscribers.</summary>
    public int CountOf(TopicKind kind) => TableOf(kind).Count;

    /// <summary>The subscribers of a channel, pattern or shard channel.</summary>
    public int SubscribersOf(TopicKind kind, ReadOnlySpan<byte> name)
    {
        TopicTable table = TableOf(kind);
        int hash = table.HashOf(name);
        TopicTable.Shard shard = table.ShardOf(hash);
        lock (shard.Gate)
            return shard.Find(name, hash)?.Count ?? 0;
    }

    /// <summary>The names of all topics of a kind that have subscribers. Holds one shard's lock at a time.</summary>
    public List<byte[]> NamesOf(TopicKind kind)
    {
        List<byte[]> names = [];
        foreach (TopicTable.Shard shard in TableOf(kind).Shards)
        {
            lock (shard.Gate)
                names.AddRange(shard.Topics().Select(static topic => topic.Name));
        }

        return names;
    }

    /// <summary>
    /// Passes every subscription that matches to <paramref name="found"/>. Both run under locks, one shard's at a time: they must neither
    /// wait nor use the hub.
    /// </summary>
    public void Find(Func<Subscriber, TopicKind, Topic, bool> matches, Action<Subscriber> found)
    {
        foreach (TopicKind kind in Kinds)
        {
            foreach (TopicTable.Shard shard in TableOf(kind).Shards)
            {
                lock (shard.Gate)
                {
                    foreach (Topic topic in shard.Topics())
                        Find(kind, topic, matches, found);
                }
            }
        }
    }

    private static void Find(TopicKind kind, Topic topic, Func<Subscriber, TopicKind, Topic, bool> matches, Action<Subscriber> found)
    {
        for (int group = 0; topic.TryGetLane(group, out DeliveryLane? lane); group++)
        {
            if (lane is null)
                continue;
            using (lane.Hold())
            {
                foreach (Subscriber? subscriber in topic.On(lane))
                {
                    if (subscriber is not null && !subscriber.IsEnded && matches(subscriber, kind, topic))
                        found(subscriber);
                }
            }
        }
    }

    /// <summary>Subscribes; false when already subscribed. On the subscriber's thread.</summary>
    public bool Subscribe(Subscriber subscriber, TopicKind kind, ReadOnlySpan<byte> name)
    {
        TopicTable table = TableOf(kind);
        int hash = table.HashOf(name);
        lock (table.ShardOf(hash).Gate)
        {
            Topic topic = kind == TopicKind.Pattern ? _patterns.GetOrAdd(name, hash) : table.GetOrAdd(name, hash, out _);
            if (!subscriber.Topics(kind).Add(topic))
                return false;
            DeliveryLane lane = subscriber.Lane ?? LaneOf(subscriber.OwnerId);
            using (lane.Hold())
            {
                if (subscriber.Lane is null)
                    lane.Join(subscriber);
                lane.DrainHeld();
                topic.Add(lane, subscriber);
            }
        }

        return true;
    }

    /// <summary>Ends a subscription; false when there is none. On the subscriber's thread.</summary>
    public bool Unsubscribe(Subscriber subscriber, TopicKind kind, ReadOnlySpan<byte> name)
    {
        if (subscriber.Topics(kind).Count == 0)
            return false;
        TopicTable table = TableOf(kind);
        int hash = table.HashOf(name);
        TopicTable.Shard shard = table.ShardOf(hash);
        lock (shard.Gate)
        {
            if (shard.Find(name, hash) is not { } topic || !subscriber.Topics(kind).Remove(topic))
                return false;
            RemoveHeld(subscriber, kind, topic);
            return true;
        }
    }

    /// <summary>
    /// Ends a subscriber with all its subscriptions: nothing is delivered to it any more. When they are many, others may still count it for
    /// some milliseconds.
    /// </summary>
    public void Leave(Subscriber subscriber)
    {
        subscriber.End();
        if (subscriber.Lane is null)
            return;
        if (subscriber.Total <= RemovedAtOnce)
        {
            RemoveAll(subscriber);
            return;
        }

        (MessageHub, Subscriber) leaving = (this, subscriber);
        ThreadPool.UnsafeQueueUserWorkItem(static leaving => leaving.Item1.RemoveAll(leaving.Item2), leaving, preferLocal: false);
    }

    /// <summary>Ends all subscriptions of a client (RESET, end of the connection). On its thread.</summary>
    public void Leave(ClientSession client)
    {
        if (client.Subscriber is not { } subscriber)
            return;
        Leave(subscriber);
        client.Subscriber = null;
        client.Output.Class = OutputClass.Normal;
    }

    /// <summary>Publishes to a channel and to matching patterns; returns the number of receivers.</summary>
    /// <param name="lanes">Notes which lanes are to be announced.</param>
    /// <param name="channel">The channel's name.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="block">The payload's own block, if it has one; the caller keeps its reference.</param>
    /// <param name="sender">The client that publishes, if it is a subscriber itself.</param>
    public int Publish(
        PublishedLanes lanes,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> payload,
        ValueBlock block = default,
        Subscriber? sender = null
    )
    {
        Interlocked.Increment(ref _published);
        if (_channels.Count == 0 && _patterns.Topics.Count == 0)
            return 0;
        ValueBlock copy = CopyIfLarge(payload, in block);
        Frame frame = new()
        {
            Word = "message"u8,
            Channel = channel,
            Payload = payload,
            Block = copy.Length > 0 ? copy : block,
        };
        int receivers = PublishTo(_channels, lanes, in frame, sender);
        if (_patterns.Topics.Count > 0)
            receivers += PublishToPatterns(lanes, in frame, sender);
        copy.Release();
        return receivers;
    }

    /// <summary>As <see cref="Publish"/>, to a shard channel.</summary>
    public int PublishToShard(
        PublishedLanes lanes,
        ReadOnlySpan<byte> channel,
        ReadOnlySpan<byte> payload,
        ValueBlock block = default,
        Subscriber? sender = null
    )
    {
        Interlocked.Increment(ref _published);
        if (_shardChannels.Count == 0)
            return 0;
        ValueBlock copy = CopyIfLarge(payload, in block);
        Frame frame = new()
        {
            Word = "smessage"u8,
            Channel = channel,
            Payload = payload,
            Block = copy.Length > 0 ? copy : block,
        };
        int receivers = PublishTo(_shardChannels, lanes, in frame, sender);
        copy.Release();
        return receivers;
    }

    private ValueBlock CopyIfLarge(ReadOnlySpan<byte> payload, in ValueBlock block)
    {
        if (payload.Length < ReferencedBytes || block.Length > 0)
            return default;
        var copy = ValueBlock.Allocate(_store, payload.Length);
        payload.CopyTo(copy.Span);
        copy.CountArrived(payload.Length);
        return copy;
    }

    private TopicTable TableOf(TopicKind kind) =>
        kind switch
        {
            TopicKind.Channel => _channels,
            TopicKind.ShardChannel => _shardChannels,
            _ => _patterns.Topics,
        };

    private DeliveryLane LaneOf(int ownerId) =>
        _lanes.TryGetValue(ownerId, out DeliveryLane? lane)
            ? lane
            : _lanes.GetOrAdd(ownerId, static (id, threads) => new DeliveryLane(id, threads), _threads);

    private int PublishTo(TopicTable table, PublishedLanes lanes, in Frame frame, Subscriber? sender)
    {
        if (table.Count == 0)
            return 0;
        int hash = table.HashOf(frame.Channel);
        TopicTable.Shard shard = table.ShardOf(hash);
        lock (shard.Gate)
            return shard.Find(frame.Channel, hash) is { } topic ? Add(topic, lanes, in frame, sender) : 0;
    }

    private int PublishToPatterns(PublishedLanes lanes, in Frame frame, Subscriber? sender)
    {
        int receivers = 0;
        List<Topic> matches = lanes.Matches;
        lock (_patterns.Gate)
        {
            _patterns.Match(frame.Channel, matches);
            foreach (Topic pattern in matches)
            {
                Frame matched = new()
                {
                    Word = "pmessage"u8,
                    HasPattern = true,
                    Pattern = pattern.Name,
                    Channel = frame.Channel,
                    Payload = frame.Payload,
                    Block = frame.Block,
                };
                receivers += Add(pattern, lanes, in matched, sender);
            }
        }

        matches.Clear();
        return receivers;
    }

    private int Add(Topic topic, PublishedLanes lanes, in Frame frame, Subscriber? sender)
    {
        long stamp = Volatile.Read(ref _isMoving) == 0 ? 0 : Interlocked.Increment(ref _stamp);
        for (int group = 0; topic.TryGetLane(group, out DeliveryLane? lane); group++)
        {
            if (lane is null)
                continue;
            lane.Add(topic, in frame, stamp);
            lanes.Add(lane);
            if (sender is not null && topic.Has(lane, sender))
                lanes.MarkReachesSelf();
        }

        return topic.Count;
    }

    // With the lock of the topic's table held. What was published before must still arrive.
    private void RemoveHeld(Subscriber subscriber, TopicKind kind, Topic topic)
    {
        if (!RemoveFrom(subscriber.Lane!, subscriber, topic) && subscriber.FormerLane is { } former)
            RemoveFrom(former, subscriber, topic);
        if (topic.Count > 0)
            return;
        if (kind == TopicKind.Pattern)
            _patterns.Remove(topic);
        else
            TableOf(kind).Remove(topic);
    }

    private static bool RemoveFrom(DeliveryLane lane, Subscriber subscriber, Topic topic)
    {
        using (lane.Hold())
        {
            if (!subscriber.IsEnded)
                lane.DrainHeld();
            return topic.Remove(lane, subscriber);
        }
    }

    /// <summary>
    /// Begins to move a subscriber to the lane of its present thread; null when it is there already, or another one is moving, as a lane
    /// is drained together with one other at a time. On that thread.
    /// </summary>
    public SubscriberMove? BeginMove(Subscriber subscriber)
    {
        DeliveryLane former = subscriber.Lane!,
            lane = LaneOf(subscriber.OwnerId);
        if (lane == former || subscriber.IsEnded || subscriber.FormerLane is not null || Interlocked.Exchange(ref _isMoving, 1) == 1)
            return null;
        lane.BeginMove(subscriber);
        List<(TopicKind, Topic)> topics = [];
        foreach (TopicKind kind in Kinds)
        {
            foreach (Topic? topic in subscriber.Topics(kind).Slots)
            {
                if (topic is not null)
                    topics.Add((kind, topic));
            }
        }

        return new SubscriberMove(this, subscriber, [.. topics]);
    }

    /// <summary>Moves one subscription, unless it has ended. On the subscriber's thread.</summary>
    public void MoveTopic(Subscriber subscriber, TopicKind kind, Topic topic)
    {
        lock (TableOf(kind).ShardOf(topic.Hash).Gate)
        {
            if (!RemoveFrom(subscriber.FormerLane!, subscriber, topic))
                return;
            using (subscriber.Lane!.Hold())
            {
                subscriber.Lane.DrainHeld();
                topic.Add(subscriber.Lane, subscriber);
            }
        }
    }

    /// <summary>Ends what <see cref="BeginMove"/> began. On the subscriber's thread.</summary>
    public void EndMove(Subscriber subscriber)
    {
        subscriber.Lane!.EndMove(subscriber);
        Volatile.Write(ref _isMoving, 0);
    }

    private void RemoveAll(Subscriber subscriber)
    {
        foreach (TopicKind kind in Kinds)
        {
            TopicTable table = TableOf(kind);
            ref ReferenceSet<Topic> topics = ref subscriber.Topics(kind);
            int removed = 0;
            foreach (Topic? topic in topics.Slots)
            {
                if (topic is null)
                    continue;
                lock (table.ShardOf(topic.Hash).Gate)
                    RemoveHeld(subscriber, kind, topic);
                // On a busy processor the whole time slice would be taken from the threads that serve clients.
                if (++removed % RemovedAtOnce == 0)
                    Thread.Yield();
            }

            topics.Clear();
        }

        lock (subscriber.Lane!.Gate)
            subscriber.Lane.Leave(subscriber);
    }
}
