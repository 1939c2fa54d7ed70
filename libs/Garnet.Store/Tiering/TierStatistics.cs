// What a tier has done. Counted by any thread.
namespace Garnet.Store.Tiering;

/// <summary>Counters of a tier; the sums are recent.</summary>
internal sealed class TierStatistics
{
    private long _coldKeys;
    private long _movedOut;
    private long _movedIn;
    private long _kept;
    private long _reads;
    private long _readsUnderBarrier;
    private long _writtenBytes;
    private long _payloadBytes;
    private long _deleted;
    private long _writeErrors;
    private long _readErrors;
    private int _lastError;

    /// <summary>Keys whose values are on disk.</summary>
    public long ColdKeys => Volatile.Read(ref _coldKeys);

    /// <summary>Values that were moved to disk.</summary>
    public long MovedOut => Volatile.Read(ref _movedOut);

    /// <summary>Values that were moved back to memory.</summary>
    public long MovedIn => Volatile.Read(ref _movedIn);

    /// <summary>Values that were used or changed while they were written, and stayed.</summary>
    public long KeptInMemory => Volatile.Read(ref _kept);

    /// <summary>Values that were read from disk.</summary>
    public long Reads => Volatile.Read(ref _reads);

    /// <summary>Of <see cref="Reads"/>, those for which everyone waited.</summary>
    public long ReadsUnderBarrier => Volatile.Read(ref _readsUnderBarrier);

    /// <summary>Bytes written to disk.</summary>
    public long WrittenBytes => Volatile.Read(ref _writtenBytes);

    /// <summary>Of <see cref="WrittenBytes"/>, those of values when they left memory.</summary>
    public long PayloadBytes => Volatile.Read(ref _payloadBytes);

    /// <summary>Keys that were deleted because the disk was full.</summary>
    public long Deleted => Volatile.Read(ref _deleted);

    /// <summary>Writes that failed.</summary>
    public long WriteErrors => Volatile.Read(ref _writeErrors);

    /// <summary>Reads that failed, or whose checksum was wrong.</summary>
    public long ReadErrors => Volatile.Read(ref _readErrors);

    /// <summary>The number of the last error; 0 when there was none.</summary>
    public int LastError => Volatile.Read(ref _lastError);

    internal void Moved(int bytes)
    {
        Interlocked.Add(ref _payloadBytes, bytes);
        Interlocked.Increment(ref _movedOut);
        Interlocked.Increment(ref _coldKeys);
    }

    internal void Returned() => Interlocked.Increment(ref _movedIn);

    internal void Dropped() => Interlocked.Decrement(ref _coldKeys);

    internal void Kept() => Interlocked.Increment(ref _kept);

    internal void Written(int bytes) => Interlocked.Add(ref _writtenBytes, bytes);

    internal void Read(bool isUnderBarrier)
    {
        Interlocked.Increment(ref _reads);
        if (isUnderBarrier)
            Interlocked.Increment(ref _readsUnderBarrier);
    }

    internal void DeletedOne() => Interlocked.Increment(ref _deleted);

    internal void WriteFailed(int error)
    {
        Interlocked.Increment(ref _writeErrors);
        Volatile.Write(ref _lastError, error);
    }

    internal void ReadFailed(int error)
    {
        Interlocked.Increment(ref _readErrors);
        Volatile.Write(ref _lastError, error);
    }
}
