// The segments of a tier: which are free, what is alive in them. The mover takes and frees segments; any thread counts.
namespace Garnet.Store.Tiering;

/// <summary>
/// Space is taken segment by segment and reused when nothing in a segment is alive. The counters of live bytes change under the latch of
/// the key whose record refers to the object.
/// </summary>
/// <param name="segmentBytes">Size of a segment.</param>
/// <param name="count">Number of segments.</param>
internal sealed class TierSegments(int segmentBytes, int count)
{
    // What the cleaner needs to move live objects together.
    public const int Reserve = 2;

    private const double MaxLiveShare = 0.8;

    // Where more is alive, moving it frees too little.
    private const double WorthwhileShare = 0.95;
    private readonly Segment[] _all = new Segment[count];
    private readonly Queue<int> _freed = new();
    private int _used;
    private long _sequence;
    private long _liveBytes;
    private int _retired;

    /// <summary>What has become of a segment.</summary>
    private enum State : byte
    {
        Free,
        Open,
        Closed,
        Retired,
    }

    /// <summary>Size of a segment.</summary>
    public int SegmentBytes => segmentBytes;

    /// <summary>What the usable segments hold.</summary>
    public long Capacity => (long)(count - Volatile.Read(ref _retired)) * segmentBytes;

    /// <summary>Bytes of objects to which records refer.</summary>
    public long LiveBytes => Volatile.Read(ref _liveBytes);

    /// <summary>Bytes of segments that are not free.</summary>
    public long UsedBytes => (long)(_used - _freed.Count - Volatile.Read(ref _retired)) * segmentBytes;

    /// <summary>Segments that are free.</summary>
    public int FreeCount => count - _used + _freed.Count;

    /// <summary>Whether so much is alive that no more should be moved in.</summary>
    public bool IsFull => LiveBytes > (long)(Capacity * MaxLiveShare);

    /// <summary>Whether segments have to be cleaned.</summary>
    public bool IsShort => FreeCount < Math.Max(Reserve + 2, count / 64);

    /// <summary>The segment of a position.</summary>
    public int SegmentOf(long position) => (int)(position / segmentBytes);

    /// <summary>The position of a segment.</summary>
    public long PositionOf(int segment) => (long)segment * segmentBytes;

    /// <summary>How often a segment has been used.</summary>
    public uint GenerationOf(int segment) => Volatile.Read(ref _all[segment].Generation);

    /// <summary>How much of a segment was written.</summary>
    public int WrittenOf(int segment) => _all[segment].Written;

    /// <summary>Takes a free segment; -1 when there is none.</summary>
    /// <param name="isReserved">Whether it may be one that is kept for cleaning.</param>
    public int Take(bool isReserved)
    {
        if (FreeCount <= (isReserved ? 0 : Reserve))
            return -1;
        int segment = _freed.Count > 0 ? _freed.Dequeue() : _used++;
        ref Segment taken = ref _all[segment];
        taken.State = State.Open;
        taken.Sequence = ++_sequence;
        taken.Written = 0;
        Volatile.Write(ref taken.Generation, taken.Generation + 1);
        return segment;
    }

    /// <summary>A buffer is about to be written to a segment.</summary>
    public void BeginWrite(int segment, int bytes)
    {
        _all[segment].Pending++;
        _all[segment].Written += bytes;
    }

    /// <summary>What a buffer held is published, or lost.</summary>
    public void EndWrite(int segment) => _all[segment].Pending--;

    /// <summary>Nothing more is written to a segment.</summary>
    public void Close(int segment)
    {
        if (_all[segment].State == State.Open)
            _all[segment].State = State.Closed;
    }

    /// <summary>A segment is not used again after what is in it has died, because it could not be written.</summary>
    public void Retire(int segment)
    {
        if (_all[segment].State == State.Retired)
            return;
        _all[segment].State = State.Retired;
        Interlocked.Increment(ref _retired);
    }

    /// <summary>A record refers to an object.</summary>
    public void Add(ColdLocator locator)
    {
        Interlocked.Add(ref _all[SegmentOf(locator.Position)].Live, locator.Bytes);
        Interlocked.Add(ref _liveBytes, locator.Bytes);
    }

    /// <summary>No record refers to an object any more.</summary>
    public void Remove(ColdLocator locator)
    {
        Interlocked.Add(ref _all[SegmentOf(locator.Position)].Live, -locator.Bytes);
        Interlocked.Add(ref _liveBytes, -locator.Bytes);
    }

    /// <summary>An object is still going to be read, though no record may refer to it any more. While a record does.</summary>
    public void Pin(ColdLocator locator) => Interlocked.Increment(ref _all[SegmentOf(locator.Position)].Pins);

    /// <summary>It has been read.</summary>
    public void Unpin(ColdLocator locator) => Interlocked.Decrement(ref _all[SegmentOf(locator.Position)].Pins);

    /// <summary>The next segment with live objects, after a given one; -1 when there is none.</summary>
    public int NextLive(int segment)
    {
        for (segment++; segment < Volatile.Read(ref _used); segment++)
        {
            if (LiveOf(segment) != 0)
                return segment;
        }

        return -1;
    }

    /// <summary>Bytes of live objects in a segment.</summary>
    public long LiveOf(int segment) => Volatile.Read(ref _all[segment].Live);

    /// <summary>Frees the segments in which nothing is alive.</summary>
    public void FreeDead()
    {
        for (int segment = 0; segment < _used; segment++)
        {
            ref Segment closed = ref _all[segment];
            if (
                closed.State == State.Closed
                && closed.Pending == 0
                && Volatile.Read(ref closed.Live) == 0
                && Volatile.Read(ref closed.Pins) == 0
            )
            {
                closed.State = State.Free;
                _freed.Enqueue(segment);
            }
        }
    }

    /// <summary>The segment with the fewest live bytes, or the one filled first; -1 when none can be cleaned.</summary>
    public int Choose(bool isOldest)
    {
        int best = -1;
        long least = long.MaxValue;
        for (int segment = 0; segment < _used; segment++)
        {
            ref Segment closed = ref _all[segment];
            long score = isOldest ? closed.Sequence : Volatile.Read(ref closed.Live);
            if (closed.State == State.Closed && closed.Pending == 0 && score < least)
                (best, least) = (segment, score);
        }

        return best >= 0 && (isOldest || LiveOf(best) < segmentBytes * WorthwhileShare) ? best : -1;
    }

    private struct Segment
    {
        public long Live;
        public long Sequence;
        public uint Generation;
        public int Written;
        public int Pending;
        public int Pins;
        public State State;
    }
}
