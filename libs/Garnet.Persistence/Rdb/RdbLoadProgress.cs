// The progress of loading. Written by the loading threads, read by any.
namespace Garnet.Persistence.Rdb;

/// <summary>Counters of the current loading.</summary>
internal sealed class RdbLoadProgress
{
    private long _loadedBytes;
    private long _keys;
    private long _expiredKeys;

    /// <summary>Bytes of the file read.</summary>
    public long LoadedBytes => Volatile.Read(ref _loadedBytes);

    /// <summary>Size of the file; -1 when unknown.</summary>
    public long TotalBytes { get; internal set; }

    /// <summary>Keys inserted.</summary>
    public long Keys => Volatile.Read(ref _keys);

    /// <summary>Keys skipped because they had expired.</summary>
    public long ExpiredKeys => Volatile.Read(ref _expiredKeys);

    internal void SetLoaded(long bytes) => Volatile.Write(ref _loadedBytes, bytes);

    internal void Add(long keys, long expiredKeys)
    {
        Interlocked.Add(ref _keys, keys);
        Interlocked.Add(ref _expiredKeys, expiredKeys);
    }
}
