// A contiguous native array that grows without moving: address space is reserved, memory is used as it is touched. Growth is thread-safe.
namespace Garnet.Store.Memory;

/// <summary>A reserved range of native memory whose addresses never change.</summary>
internal sealed unsafe class ReservedRange : IDisposable
{
    /// <summary>The largest page size of systems that this runs on.</summary>
    public const long SystemPageBytes = 64 * 1024;

    private const long MaxPreparedBytes = 4L << 20;
    private const long CommitStepBytes = 1 << 20;
    private readonly Lock _growth = new();
    private readonly long _reservedBytes;
    private long _committedBytes;

    /// <summary>
    /// Reserves up to <paramref name="wantedBytes"/>; less (by halves, never below <paramref name="leastBytes"/>) where the system limits
    /// address space.
    /// </summary>
    public ReservedRange(long wantedBytes, long leastBytes, bool largePages = false)
    {
        for (long bytes = wantedBytes; ; bytes /= 2)
        {
            Base = bytes / 2 < leastBytes ? VirtualMemory.Reserve(bytes) : VirtualMemory.TryReserve(bytes);
            if (Base != null)
            {
                _reservedBytes = bytes;
                if (largePages)
                    VirtualMemory.PreferLargePages(Base, bytes);

                return;
            }
        }
    }

    /// <summary>Address of the first byte.</summary>
    public byte* Base { get; }

    /// <summary>Maximum usable size in bytes.</summary>
    public long ReservedBytes => _reservedBytes;

    /// <summary>Makes the first <paramref name="bytes"/> usable.</summary>
    public void Ensure(long bytes)
    {
        if (bytes > Volatile.Read(ref _committedBytes))
            Grow(bytes);
    }

    /// <summary>
    /// Touches part of the range beyond its high-water mark, a quarter of the current usage and at most 4 MiB; returns the end of the
    /// prepared part.
    /// </summary>
    public long Prepare(long touchedBytes, long usedBytes, long preparedBytes)
    {
        long wanted = Math.Min(_reservedBytes, touchedBytes + Math.Min(MaxPreparedBytes, usedBytes / 4)) & -SystemPageBytes;
        long from = Math.Max(preparedBytes, touchedBytes & -SystemPageBytes);
        if (wanted > from)
        {
            Ensure(wanted);
            VirtualMemory.Touch(Base + from, wanted - from);
            preparedBytes = wanted;
        }

        return preparedBytes;
    }

    /// <summary>Returns the memory between two multiples of the system's page size; the range must not be in use.</summary>
    public void GiveBack(long from, long bytes)
    {
        VirtualMemory.Renew(Base + from, bytes);
    }

    /// <inheritdoc/>
    public void Dispose() => VirtualMemory.Release(Base, _reservedBytes);

    private void Grow(long bytes)
    {
        if (bytes > _reservedBytes)
        {
            throw new OutOfMemoryException(
                $"A table of the store is full: its reserved address space of {_reservedBytes} bytes is used up."
            );
        }

        lock (_growth)
        {
            long target = Math.Min(_reservedBytes, (bytes + CommitStepBytes - 1) / CommitStepBytes * CommitStepBytes);
            if (target > _committedBytes)
            {
                VirtualMemory.Commit(Base + _committedBytes, target - _committedBytes);
                Volatile.Write(ref _committedBytes, target);
            }
        }
    }
}
