// The subscribers of one I/O thread and the messages that wait for it. Any thread adds messages; whoever holds the lock delivers them.
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;

namespace Garnet.Server.Messaging;

/// <summary>
/// A publisher puts each message here once, however many subscribers there are, and the thread copies it to its own ones. When the
/// thread is too busy to do that in time, the publisher delivers in its place: to each client's own queue, where it counts towards that
/// client's output limit. So what waits here is bounded.
/// </summary>
internal sealed class DeliveryLane(int ownerId, RespServer server)
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
    private Subscriber? _first;
    private int _isAnnounced;
    private long _deliveries;

    /// <summary>Number of the thread, -1 for connections that belong to none.</summary>
    public int OwnerId => ownerId;

    /// <summary>Guards delivery, and the groups of this lane in all topics.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Bytes of frames that wait.</summary>
    public long QueuedBytes => _incoming.Bytes + _delivered.Bytes;

    /// <summary>Messages delivered, counted once for each subscriber.</summary>
    public long Deliveries => Volatile.Read(ref _deliveries);

    /// <summary>Whether nothing waits that was added before the call.</summary>
    public bool IsEmpty => _incoming.IsEmpty;

    /// <summary>Whether a publisher must deliver what waits here.</summary>
    public bool IsFull => _incoming.FrameBytes > MaxFrameBytes || _incoming.Bytes > MaxBytes;

    /// <summary>Adds a message for the subscribers of a topic on this lane. Under the lock of the topic's table.</summary>
    public void Add(Topic topic, in Frame frame)
    {
        lock (_queueGate)
            _incoming.Add(topic, in frame);
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
        lock (Gate)
            DrainHeld();
    }

    /// <summary>The same, with the lock held.</summary>
    public void DrainHeld()
    {
        Interlocked.Exchange(ref _isAnnounced, 0);
        lock (_queueGate)
        {
            if (_incoming.IsEmpty)
                return;
            (_incoming, _delivered) = (_delivered, _incoming);
        }

        long bytes = Deliver(_delivered);
        _delivered.Clear();
        if (_touched.Count > 0)
            Flush(bytes);
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

    // Through any of the subscribers: they are on the thread. One whose connection has moved delivers on another thread, which is slower
    // but as good.
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

    private long Deliver(FrameQueue queue)
    {
        long bytes = 0;
        ReadOnlySpan<QueuedFrame> frames = queue.Frames;
        while (!frames.IsEmpty)
        {
            int run = RunLength(frames);
            Delivery delivery = new(queue, frames[..run]);
            foreach (Subscriber? subscriber in frames[0].Topic.On(this))
            {
                if (subscriber is not null && !subscriber.IsEnded)
                    bytes += DeliverTo(subscriber, ref delivery);
            }

            frames = frames[run..];
        }

        return bytes;
    }

    private int DeliverTo(Subscriber subscriber, ref Delivery delivery)
    {
        _deliveries += delivery.Count;
        int written = subscriber.Receive(ref delivery);
        if (written > 0 && !subscriber.IsTouched)
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

    private void Flush(long bytes)
    {
        foreach (Subscriber subscriber in _touched)
        {
            subscriber.IsTouched = false;
            subscriber.Flush();
        }

        ThreadCounters counters = server.Batches.Current.Counters;
        counters.OutputBytes += bytes;
        counters.Writes += _touched.Count;
        _touched.Clear();
    }
}
