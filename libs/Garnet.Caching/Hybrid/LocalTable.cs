// The entries of an instance. Thread-safe.
using System.Collections.Concurrent;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// Over its limit it drops what was not used for longest, by a queue that entries pass through again when they were used since the last
/// time. Entries that are not valid any more stay until they come to the head of the queue, or are replaced.
/// </summary>
internal sealed class LocalTable
{
    // How many replaced entries may be in the queue before it is gone through for them alone.
    private const int MinQueued = 1024;

    private readonly ConcurrentDictionary<string, LocalEntry> _entries = new(StringComparer.Ordinal);
    private readonly ConcurrentQueue<LocalEntry> _queue = new();
    private readonly ConcurrentDictionary<string, LocalEntry>.AlternateLookup<ReadOnlySpan<char>> _bySpan;
    private readonly long _maxBytes;
    private long _bytes;
    private int _count;
    private int _queued;

    public LocalTable(long maxBytes)
    {
        _maxBytes = maxBytes;
        _bySpan = _entries.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>Bytes of all entries.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Number of entries.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The entry of a key, or null.</summary>
    public LocalEntry? Find(string key) => _entries.TryGetValue(key, out LocalEntry? entry) ? Used(entry) : null;

    /// <inheritdoc cref="Find(string)"/>
    public LocalEntry? Find(ReadOnlySpan<char> key) => _bySpan.TryGetValue(key, out LocalEntry? entry) ? Used(entry) : null;

    /// <summary>Keeps an entry instead of the one that its key had.</summary>
    public void Keep(LocalEntry entry)
    {
        if (entry.Bytes > _maxBytes)
        {
            Remove(entry.Key);
            return;
        }

        Remove(entry.Key);
        if (!_entries.TryAdd(entry.Key, entry))
            return;
        Interlocked.Add(ref _bytes, entry.Bytes);
        Interlocked.Increment(ref _count);
        Interlocked.Increment(ref _queued);
        _queue.Enqueue(entry);
        while (Bytes > _maxBytes || Volatile.Read(ref _queued) > (2 * Count) + MinQueued)
            Pass();
    }

    /// <summary>Drops the entry of a key.</summary>
    public void Remove(string key)
    {
        if (_entries.TryRemove(key, out LocalEntry? entry))
            Uncount(entry);
    }

    /// <summary>Drops all.</summary>
    public void Clear()
    {
        foreach (string key in _entries.Keys)
            Remove(key);
    }

    private static LocalEntry Used(LocalEntry entry)
    {
        // Read first: a cache line that is written by every hit would be contended.
        if (!entry.IsReferenced)
            entry.IsReferenced = true;
        return entry;
    }

    private void Uncount(LocalEntry entry)
    {
        Interlocked.Add(ref _bytes, -entry.Bytes);
        Interlocked.Decrement(ref _count);
    }

    private void Pass()
    {
        if (!_queue.TryDequeue(out LocalEntry? entry))
            return;
        if (_entries.TryGetValue(entry.Key, out LocalEntry? current) && current == entry && entry.IsReferenced)
        {
            entry.IsReferenced = false;
            _queue.Enqueue(entry);
            return;
        }

        Interlocked.Decrement(ref _queued);
        if (_entries.TryRemove(KeyValuePair.Create(entry.Key, entry)))
            Uncount(entry);
    }
}
