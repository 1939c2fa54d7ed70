// How long a writer that is never refused waits for memory. Part of the writer; one thread.
namespace Garnet.Store.Eviction;

/// <summary>Begins anew whenever memory has been freed: how long that takes depends on the disk.</summary>
internal struct ReliefPatience
{
    private const long MaxMs = 2000;
    private bool _hasWaited;
    private long _moved;
    private long _least;
    private long _sinceMs;

    /// <summary>Whether to wait on.</summary>
    /// <param name="moved">Values that have left memory, since the start of the server.</param>
    /// <param name="allocated">Bytes taken from the system now.</param>
    public bool IsLeft(long moved, long allocated)
    {
        long nowMs = Environment.TickCount64;
        if (!_hasWaited || moved != _moved || allocated < _least)
            (_hasWaited, _moved, _least, _sinceMs) = (true, moved, Math.Min(allocated, _hasWaited ? _least : allocated), nowMs);
        return nowMs - _sinceMs < MaxMs;
    }
}
