// The subscribers of one I/O thread and the messages that wait for it. Any thread adds messages; the holder of the lock delivers them.
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;

namespace Garnet.Server.Messaging;

/// <summary>
/// A publisher adds each message once, however many subscribers the lane has, and the lane's thread copies it to them. If the thread is too
/// busy to do that in time, the publisher delivers instead: to each client's own queue, where messages count towards the client's output
/// limit. So the amount of data that waits here is bounded.
/// </summary>
internal sealed class DeliveryLane(int ownerId, ThreadScratchPool threads)
{
    /// <summary>Bytes from which a publisher delivers itself.</summary>
    public const long MaxFrameBytes = 4 << 20;

    /// <summary>The same, with referenced payloads.</summary>
    public const long MaxBytes = 64 << 20;

    // Frames copied to a subscriber in one piece; limited by what a connection gives as one span.
    private const int MaxRunBytes = 32 * 1024;

    private static readonly Action<object?> DrainCallback = static lane => ((DeliveryLane)lane!).Drain();

    private readonly Lock _queueGate = new();
    private readonly List<Subscriber> _touched = [];
    private FrameQueue _incoming = new();
    private FrameQueue _delivered = new();
    private volatile DeliveryLane? _partner; // while a subscriber moves between the two; changed with the locks of both held
    private Subscriber? _first;
    private int _isAnnounced;
    private int _flushed; // subscribers, since the last counting
    private long _deliveries;

    /// <summary>Number of the thread, -1 for connections that belong to none.</summary>
    public int OwnerId => ownerId;

    /// <summary>Guards delivery, and the groups of this lane in all topics.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Bytes of frames that wait.</summary>
    public long QueuedBytes => _incoming.Bytes + _delivered.Bytes;

    /// <summary>Messages delivered, counted once for each subscriber.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    /// <summary>Whether all messages added before the call have been delivered.</summary>
    public bool IsEmpty => _incoming.IsEmpty;

    /// <summary>Whether so much is waiting that a publisher must deliver it itself.</summary>
    public bool IsFull => _incoming.FrameBytes > MaxFrameBytes || _incoming.Bytes > MaxBytes;

    /// <summary>Adds a message for the subscribers of a topic on this lane. Under the lock of the topic's table.</summary>
    public void Add(Topic topic, in Frame frame, long stamp)
    {
        lock (_queueGate)
            _incoming.Add(topic, in frame, stamp);
    }

    /// <summary>Makes the thread deliver what was added, together with what is added until it does.</summary>
    public void Announce()
    {
        if (IsFull)
            Drain();
        else if (Interlocked.Exchange(ref _isAnnounced, 1) == 0)
            Wake();
    }

    /// <summary>Delivers what waits. Any thread.</summary>
    public void Drain()
    {
        using (Hold())
            DrainHeld();
    }

    /// <summary>Takes the locks that delivery needs, until the result is disposed.</summary>
    public HeldLane Hold()
    {
        while (true)
        {
            DeliveryLane? partner = _partner;
            HeldLane held = new(this, partner);
            if (partner == _partner)
                return held;
            held.Dispose();
        }
    }

    /// <summary>The same as <see cref="Drain"/>, with the locks held.</summary>
    public void DrainHeld()
    {
        if (_partner is { } partner)
        {
            DrainBoth(partner);
            return;
        }

        lock (_queueGate)
        {
            if (!TakeIncoming())
                return;
        }

        Finish(Deliver(_delivered.Frames));
    }

    /// <summary>Adds a subscriber, with the lock held.</summary>
    public void Join(Subscriber subscriber)
    {
        subscriber.Lane = this;
        subscriber.Next = _first;
        if (_first is not null)
            _first.Previous = subscriber;
        Volatile.Write(ref _first, subscriber);
    }

    /// <summary>Takes a subscriber over from its lane, which keeps its subscriptions until they are moved one by one.</summary>
    public void BeginMove(Subscriber subscriber)
    {
        DeliveryLane former = subscriber.Lane!;
        using (new HeldLane(this, former))
        {
            former.Leave(subscriber);
            Join(subscriber);
            subscriber.FormerLane = former;
            (_partner, former._partner) = (former, this);
        }
    }

    /// <summary>All subscriptions have moved, or the subscriber has ended.</summary>
    public void EndMove(Subscriber subscriber)
    {
        using (Hold())
        {
            _partner!._partner = null;
            _partner = null;
            if (!subscriber.IsEnded)
                subscriber.FormerLane = null;
        }
    }

    /// <summary>Removes a subscriber, with the lock held.</summary>
    public void Leave(Subscriber subscriber)
    {
        if (subscriber.Previous is { } previous)
            previous.Next = subscriber.Next;
        else
            Volatile.Write(ref _first, subscriber.Next);
        if (subscriber.Next is { } next)
            next.Previous = subscriber.Previous;
        subscriber.Previous = subscriber.Next = null;
    }

    // Any subscriber can post to the thread, since all of them are on it. If its connection has moved, another thread delivers, which is
    // slower but correct.
    private void Wake()
    {
        if (Volatile.Read(ref _first) is not { } subscriber)
        {
            Drain();
            return;
        }

        if (subscriber.OwnerId != ownerId)
            subscriber.FollowConnection();
        subscriber.Post(DrainCallback, this);
    }

    // The subscriber that moves gets its messages of both lanes in the order in which they were published.
    private void DrainBoth(DeliveryLane partner)
    {
        (DeliveryLane first, DeliveryLane second) = OwnerId < partner.OwnerId ? (this, partner) : (partner, this);
        lock (first._queueGate)
        {
            // Both under both locks: otherwise a message could be missing that is older than one already taken.
            lock (second._queueGate)
            {
                first.TakeIncoming();
                second.TakeIncoming();
            }
        }

        long firstBytes = 0,
            secondBytes = 0;
        ReadOnlySpan<QueuedFrame> one = first._delivered.Frames,
            two = second._delivered.Frames;
        while (!one.IsEmpty && !two.IsEmpty)
        {
            if (one[0].Stamp <= two[0].Stamp)
                firstBytes += first.DeliverNext(ref one, 1, isLast: false);
            else
                secondBytes += second.DeliverNext(ref two, 1, isLast: false);
        }

        first.Finish(firstBytes + first.Deliver(one));
        second.Finish(secondBytes + second.Deliver(two));
    }

    // With the queue's lock held. What was taken before has been delivered.
    private bool TakeIncoming()
    {
        Interlocked.Exchange(ref _isAnnounced, 0);
        if (_incoming.IsEmpty)
            return false;
        (_incoming, _delivered) = (_delivered, _incoming);
        return true;
    }

    private void Finish(long bytes)
    {
        _delivered.Clear();
        FlushTouched();
        if (_flushed == 0)
            return;
        ThreadCounters counters = threads.Current.Counters;
        counters.OutputBytes += bytes;
        counters.Writes += _flushed;
        _flushed = 0;
    }

    private long Deliver(ReadOnlySpan<QueuedFrame> frames)
    {
        long bytes = 0;
        while (!frames.IsEmpty)
        {
            int run = RunLength(frames);
            bytes += DeliverNext(ref frames, run, isLast: run == frames.Length);
        }

        return bytes;
    }

    private long DeliverNext(ref ReadOnlySpan<QueuedFrame> frames, int run, bool isLast)
    {
        long bytes = 0;
        Delivery delivery = new(_delivered, frames[..run]);
        foreach (Subscriber? subscriber in frames[0].Topic.On(this))
        {
            if (subscriber is not null && !subscriber.IsEnded)
                bytes += DeliverTo(subscriber, ref delivery, isLast);
        }

        frames = frames[run..];
        return bytes;
    }

    // After the last messages a subscriber is flushed at once: written to all of a thousand subscribers first, the messages would fill a
    // thousand buffers, more than are kept for reuse.
    private int DeliverTo(Subscriber subscriber, ref Delivery delivery, bool isLast)
    {
        _deliveries += delivery.Count;
        int written = subscriber.Receive(ref delivery);
        if (written == 0 || subscriber.IsTouched)
            return written;
        if (isLast)
        {
            Flush(subscriber);
        }
        else
        {
            subscriber.IsTouched = true;
            _touched.Add(subscriber);
        }

        return written;
    }

    // How many of the first frames go to the same subscribers.
    private static int RunLength(ReadOnlySpan<QueuedFrame> frames)
    {
        ref readonly QueuedFrame first = ref frames[0];
        int run = 1;
        if (first.Payload.Length > 0)
            return run;
        while (
            run < frames.Length
            && frames[run].Topic == first.Topic
            && frames[run].Payload.Length == 0
            && frames[run].End - first.Start <= MaxRunBytes
        )
        {
            run++;
        }

        return run;
    }

    private void FlushTouched()
    {
        foreach (Subscriber subscriber in _touched)
        {
            subscriber.IsTouched = false;
            Flush(subscriber);
        }

        _touched.Clear();
    }

    private void Flush(Subscriber subscriber)
    {
        subscriber.Flush();
        _flushed++;
    }
}
