// Adapts the size of the index to its keys, a few buckets at a time. Any session calls it between commands; one thread works at a time.
using Garnet.Store.Epochs;
using Garnet.Store.Log;

namespace Garnet.Store.Index;

/// <summary>Splits and merges buckets for an average of five keys per bucket: 13-16 bytes of index per key, including overflow.</summary>
internal sealed class IndexGrowth(HashIndex index, RecordLog log, DatabaseMap databases)
{
    private const long KeysPerBucket = 5;
    private const int MaxSplits = 64;
    private const int MaxStalls = 1000;

    // The number of buckets in 256 KiB.
    private const long MinGivenBack = 4096;
    private PaddedLong _keys;
    private long _expectedKeys;
    private int _isBusy;
    private int _holds;
    private long _givingBackFrom;
    private long _givingBackTag;

    /// <summary>The latches of a session outside of any batch: none.</summary>
    public HeldLatches NoLatches => field ??= new HeldLatches(index, this);

    /// <summary>Number of keys in the index, except for a few that sessions have not reported yet.</summary>
    public long Keys => Volatile.Read(ref _keys.Value);

    /// <summary>Counts reported keys without growing; for callers outside of any epoch.</summary>
    public void Note(int added) => Interlocked.Add(ref _keys.Value, added);

    /// <summary>
    /// Enlarges the index for the given number of keys to come, over all databases, unless latches are in the way: splitting buckets
    /// before keys arrive costs a fraction of splitting afterwards. The size is kept until <see cref="EndExpectation"/>, even if the keys
    /// do not arrive: about 16 bytes per key. The session must be outside of any batch.
    /// </summary>
    public void Expect(StoreSession session, long keys)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(keys);
        session.EnterBatch();
        Volatile.Write(ref _expectedKeys, keys);
        for (int stalls = 0; IsTooSmall() && stalls < MaxStalls; )
        {
            long before = index.Count;
            Grow(MaxSplits);
            session.EndCommand();
            stalls = index.Count > before ? 0 : stalls + 1;
        }

        session.LeaveBatch();
    }

    /// <summary>
    /// Grows the index for keys that a session is about to latch all at once and may add: a latched bucket cannot be split, and its chain
    /// would grow with the square of the keys. Does nothing below twice the load, so that overwriting keys does not make it grow.
    /// </summary>
    public void MakeRoom(long added)
    {
        long keys = Keys + added;
        if (keys <= index.Count * KeysPerBucket * 2)
            return;

        for (int stalls = 0; keys > index.Count * KeysPerBucket && stalls < MaxStalls; )
        {
            long before = index.Count;
            Grow(MaxSplits, keys);
            stalls = index.Count > before ? 0 : stalls + 1;
        }
    }

    /// <summary>From here on only existing keys count.</summary>
    public void EndExpectation() => Volatile.Write(ref _expectedKeys, 0);

    /// <summary>
    /// Counts the keys that a session added since its last report, and does the growth they require; bounded, never waits.
    /// </summary>
    public void Report(int added)
    {
        long keys = Interlocked.Add(ref _keys.Value, added);
        if (keys > index.Count * KeysPerBucket)
            Grow(Math.Min(MaxSplits, 8 + (Math.Max(0, added) / 2)));
    }

    /// <summary>
    /// Prevents splits and merges, except for one already in progress, until <see cref="LetGo"/>. For short use by a session that latches a
    /// large number of buckets.
    /// </summary>
    public void Hold() => Interlocked.Increment(ref _holds);

    /// <summary>Ends a <see cref="Hold"/>.</summary>
    public void LetGo() => Interlocked.Decrement(ref _holds);

    /// <summary>Splits up to <paramref name="splits"/> buckets; true when more are due.</summary>
    public bool Grow(int splits) => Grow(splits, 0);

    private bool Grow(int splits, long keys)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
            return false;

        var hasher = new RecordHasher(log, databases);
        bool isDue = IsTooSmall(keys);
        for (; isDue && splits > 0 && Volatile.Read(ref _holds) == 0; splits--)
        {
            if (!index.TrySplit(ref hasher))
                break;

            isDue = IsTooSmall(keys);
        }

        Volatile.Write(ref _isBusy, 0);
        return isDue;
    }

    /// <summary>
    /// Merges up to <paramref name="merges"/> buckets when there are far too many; true when more are due. The vacated memory stays with
    /// the index until <see cref="GiveBack"/>.
    /// </summary>
    public bool Shrink(int merges)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
            return false;

        bool isDue = IsTooLarge();
        for (; isDue && merges > 0 && Volatile.Read(ref _holds) == 0; merges--)
        {
            if (!index.TryMerge())
                break;

            isDue = IsTooLarge();
        }

        Volatile.Write(ref _isBusy, 0);
        return isDue;
    }

    /// <summary>
    /// Returns the memory of buckets vacated by merging, one epoch after they have become unreachable. Called by maintenance.
    /// </summary>
    public void GiveBack(EpochTable epochs)
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
            return;

        long count = index.Count;
        if (_givingBackFrom != 0 && count > _givingBackFrom)
        {
            // It has grown again in the meantime.
            _givingBackFrom = 0;
        }

        if (_givingBackFrom != 0 && epochs.IsPast(_givingBackTag))
        {
            index.GiveBackFrom(_givingBackFrom);
            _givingBackFrom = 0;
        }
        else if (_givingBackFrom == 0 && index.TouchedCount - count > MinGivenBack)
        {
            _givingBackFrom = (count + MinGivenBack - 1) / MinGivenBack * MinGivenBack;
            _givingBackTag = epochs.Advance();
        }

        Volatile.Write(ref _isBusy, 0);
    }

    private long WantedKeys => Math.Max(Keys, Volatile.Read(ref _expectedKeys));

    private bool IsTooSmall(long keys = 0) => Math.Max(WantedKeys, keys) > index.Count * KeysPerBucket;

    // Half the load at which it grows, so that it does not alternate between growing and shrinking.
    private bool IsTooLarge() => !index.IsSmallest && WantedKeys * 2 < (index.Count - 1) * KeysPerBucket;
}
