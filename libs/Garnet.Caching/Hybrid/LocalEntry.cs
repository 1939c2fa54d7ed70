// An entry in the process. Immutable but for its use; any thread.
using Garnet.Caching.Coherence;

namespace Garnet.Caching.Hybrid;

/// <summary>Is valid while the session's lease runs and none of the generations has ended.</summary>
internal abstract class LocalEntry
{
    // Memory besides key and payload, with tags and the table's own.
    private const int OwnBytes = 200;

    private long _usedAt;
    private bool _isUnsure;

    /// <summary>Its key.</summary>
    public required string Key { get; init; }

    /// <summary>The session in which it was read or loaded.</summary>
    public required CacheSession? Session { get; init; }

    /// <summary>Ends when the key is removed or set.</summary>
    public required Generation Own { get; init; }

    /// <summary>End when a tag is removed.</summary>
    public required TagGeneration[] Tags { get; init; }

    /// <summary>Until when it is fresh: a timestamp.</summary>
    public required long FreshUntil { get; init; }

    /// <summary>Until when it may be served while it is loaded again.</summary>
    public required long StaleUntil { get; init; }

    /// <summary>Timestamps after which a use renews the entry's sliding expiry in the server; 0 when it has none.</summary>
    public long RenewTicks { get; init; }

    /// <summary>Milliseconds of its sliding expiry.</summary>
    public long SlidingMs { get; init; }

    /// <summary>Milliseconds that it may be served after its expiry.</summary>
    public long StaleMs { get; init; }

    /// <summary>Whether its sliding expiry has an absolute limit.</summary>
    public bool HasLimit { get; init; }

    /// <summary>Bytes of its payload.</summary>
    public required int PayloadBytes { get; init; }

    /// <summary>
    /// Whether it is not to be served yet: it was put into the table before it was known whether its key has been removed meanwhile.
    /// </summary>
    public bool IsUnsure
    {
        get => Volatile.Read(ref _isUnsure);
        set => Volatile.Write(ref _isUnsure, value);
    }

    /// <summary>Whether it was used since the table last asked.</summary>
    public bool IsReferenced { get; set; }

    /// <summary>What it counts in the table.</summary>
    public long Bytes => OwnBytes + (2L * Key.Length) + PayloadBytes;

    /// <summary>Whether it may be served, as far as removals and the lease go, to a caller that read the moment after it began.</summary>
    public bool IsValid(long timestamp)
    {
        if (Session is null || !Session.IsLive(timestamp) || Own.IsEnded || IsUnsure)
            return false;
        foreach (TagGeneration tag in Tags)
        {
            if (tag.IsEnded)
                return false;
        }

        return true;
    }

    /// <summary>Whether a use at this moment is to renew the sliding expiry; true for one caller.</summary>
    public bool ClaimsRenewal(long timestamp)
    {
        if (RenewTicks == 0)
            return false;
        long usedAt = Volatile.Read(ref _usedAt);
        return timestamp - usedAt > RenewTicks && Interlocked.CompareExchange(ref _usedAt, timestamp, usedAt) == usedAt;
    }

    /// <summary>The server has renewed the sliding expiry at this moment.</summary>
    public void Renewed(long timestamp) => Volatile.Write(ref _usedAt, timestamp);
}
