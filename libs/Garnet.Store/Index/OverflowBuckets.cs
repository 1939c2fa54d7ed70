// Overflow buckets, the continuation of full index buckets. Allocated and freed by the holder of a chain's latch; only maintenance prepares
// and returns memory.
using Garnet.Store.Epochs;
using Garnet.Store.Memory;

namespace Garnet.Store.Index;

/// <summary>
/// Numbered from 1 in one reserved range; free buckets form a stack linked through their own memory. After many have been freed,
/// maintenance takes all free ones and, an epoch later, returns the memory of runs in which none is in use; the others are pushed back,
/// lowest on top, so that buckets in use concentrate in low runs.
/// </summary>
internal sealed unsafe class OverflowBuckets : IDisposable
{
    // A free bucket keeps its link where a bucket in use has its version, so that a reader still walking it sees no entries and no
    // successor.
    private const int FreeLinkOffset = 60;
    private const int RunBuckets = 1024;
    private const long RunBytes = RunBuckets * BucketLayout.Bytes;
    private const int MinIdle = 4 * RunBuckets;
    private const int TakenPerRound = 4096;
    private const int RunsPerRound = 16;
    private readonly ReservedRange _range = new((long)BucketLayout.Bytes << 25, (long)BucketLayout.Bytes << 14, largePages: true);
    private readonly byte* _base;
    private TaggedStack _free;
    private long _high;
    private long _used;

    // Owned by maintenance from here on. One bit for each bucket that the current pass has taken, and their number for each run.
    private readonly Stack<int> _bareRuns = new();
    private long _bareCount;
    private long _preparedBytes;
    private IdleLevel _idle;
    private long _maxUsed;
    private ulong[]? _taken;
    private ushort[] _takenOfRun = [];
    private bool _isTaking;
    private long _tag;
    private int _run;

    public OverflowBuckets() => _base = _range.Base;

    /// <summary>Address of bucket 0, which is never in use.</summary>
    public byte* Base => _base;

    /// <summary>Number of buckets in use.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>Bytes backed by memory.</summary>
    public long Bytes =>
        Math.Max(Volatile.Read(ref _high) * BucketLayout.Bytes, Volatile.Read(ref _preparedBytes))
        - (Volatile.Read(ref _bareCount) * RunBytes);

    /// <summary>Allocates an empty bucket.</summary>
    public uint Take()
    {
        Interlocked.Increment(ref _used);
        uint number = _free.Pop(_base + FreeLinkOffset, BucketLayout.Bytes);
        if (number == 0)
        {
            long high = Interlocked.Increment(ref _high);
            if (high > BucketWord.MaxOverflow)
                Environment.FailFast("The index ran out of overflow buckets: splitting does not keep up.");

            _range.Ensure((high + 1) * BucketLayout.Bytes);
            number = (uint)high;
        }

        new Span<byte>(AddressOf(number), BucketLayout.Bytes).Clear();
        return number;
    }

    /// <summary>Frees an empty bucket that no chain refers to any more.</summary>
    public void Free(uint number)
    {
        Interlocked.Decrement(ref _used);
        *BucketLayout.Word(AddressOf(number)) = 0;
        Push(number);
    }

    /// <summary>Backs the next buckets with memory (see <see cref="ReservedRange.Prepare"/>).</summary>
    public void Prepare()
    {
        if (_bareRuns.Count == 0 && _taken is null)
        {
            Volatile.Write(
                ref _preparedBytes,
                _range.Prepare(Volatile.Read(ref _high) * BucketLayout.Bytes, Used * BucketLayout.Bytes, _preparedBytes)
            );
        }
    }

    /// <summary>
    /// Returns unused memory, a bounded part at a time, and takes it back when buckets are short; true when more is due. The caller is
    /// outside of any epoch.
    /// </summary>
    public bool Maintain(EpochTable epochs, long nowMs)
    {
        if (_taken is null)
        {
            Refill();
            if (!IsPassDue(nowMs))
                return false;

            BeginPass();
        }

        if (_isTaking)
            TakeFree(epochs);
        else if (epochs.IsPast(_tag))
            return Return();

        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => _range.Dispose();

    private byte* AddressOf(long number) => _base + (number * BucketLayout.Bytes);

    private void Push(uint number) => _free.Push(_base + FreeLinkOffset, BucketLayout.Bytes, number);

    private long FreeCount => Volatile.Read(ref _high) - Used - (_bareCount * RunBuckets);

    // An empty run is likely only when many buckets are free, so a new pass waits until an eighth of those in use have been freed.
    private bool IsPassDue(long nowMs)
    {
        long used = Used;
        _maxUsed = Math.Max(_maxUsed, used);
        return _idle.Note(FreeCount, nowMs) >= MinIdle && used <= _maxUsed - (_maxUsed / 8);
    }

    private void BeginPass()
    {
        // Memory prepared beyond the highest bucket, and the rest of its run, are treated like free buckets once they are claimed.
        long high = Volatile.Read(ref _high);
        long end = Math.Min(
            BucketWord.MaxOverflow,
            Math.Max((high + 1 + RunBuckets - 1) / RunBuckets * RunBuckets, _preparedBytes / BucketLayout.Bytes) - 1
        );
        _range.Ensure((end + 1) * BucketLayout.Bytes);
        bool isOurs = Interlocked.CompareExchange(ref _high, end, high) == high;
        int runs = (int)(end / RunBuckets) + 1;
        _taken = new ulong[runs * RunBuckets / 64];
        _takenOfRun = new ushort[runs];
        for (long number = high + 1; number <= end && isOurs; number++)
            Note((uint)number);

        if (isOurs)
            Volatile.Write(ref _preparedBytes, 0);

        _isTaking = true;
    }

    private void TakeFree(EpochTable epochs)
    {
        for (int left = TakenPerRound; left > 0; left--)
        {
            uint number = _free.Pop(_base + FreeLinkOffset, BucketLayout.Bytes);
            if (number != 0 && number / RunBuckets < _takenOfRun.Length)
            {
                Note(number);
                continue;
            }

            if (number != 0)
            {
                // It was freed after the pass began.
                Push(number);
            }

            _isTaking = false;
            _tag = epochs.Advance();
            _run = _takenOfRun.Length - 1;
            return;
        }
    }

    private void Note(uint number)
    {
        _taken![number / 64] |= 1UL << (int)(number % 64);
        _takenOfRun[number / RunBuckets]++;
    }

    private bool Return()
    {
        for (int left = RunsPerRound; left > 0 && _run >= 0; left--, _run--)
        {
            if (_takenOfRun[_run] == RunBuckets)
            {
                _range.GiveBack(_run * RunBytes, RunBytes);
                _bareRuns.Push(_run);
                Volatile.Write(ref _bareCount, _bareRuns.Count);
            }
            else
            {
                PushRun(_run);
            }
        }

        if (_run >= 0)
            return true;

        _taken = null;
        _takenOfRun = [];
        _maxUsed = Used;
        return false;
    }

    // Pushes a run, lowest bucket on top: during a pass only the buckets it has taken, otherwise all.
    private void PushRun(int run)
    {
        for (int number = ((run + 1) * RunBuckets) - 1; number >= run * RunBuckets; number--)
        {
            if (_taken is null || (_taken[number / 64] & (1UL << (number % 64))) != 0)
                Push((uint)number);
        }
    }

    private void Refill()
    {
        while (_bareRuns.Count != 0 && FreeCount < Math.Max(RunBuckets, Used / 8))
        {
            int run = _bareRuns.Pop();
            Volatile.Write(ref _bareCount, _bareRuns.Count);
            PushRun(run);
        }
    }
}
