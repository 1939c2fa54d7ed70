// The values of a near cache. Thread-safe.
namespace Garnet.Client;

/// <summary>
/// An entry is in the table from before its request is sent. An invalidation removes it, so a reply that arrives for an entry that is not
/// in the table any more is not kept: it may be older than the change. Full, it forgets what was not read for longest, by a clock's hand
/// that passes over values read since its last round.
/// </summary>
internal sealed class NearCacheTable(int maxEntries, long maxBytes)
{
    /// <summary>Memory of an entry besides its key and value.</summary>
    public const int EntryBytes = 200;

    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], NearCacheEntry> _entries = new(new ByteKeyComparer());
    private readonly List<NearCacheEntry?> _ring = [];
    private readonly Stack<int> _free = new();
    private int _hand;
    private int _count;
    private long _bytes;
    private long _hits;
    private long _misses;
    private long _invalidations;

    /// <summary>Counts and sizes.</summary>
    public RespNearCacheStatistics Statistics
    {
        get
        {
            lock (_gate)
                return new RespNearCacheStatistics(_hits, _misses, _invalidations, _count, _bytes);
        }
    }

    /// <summary>Finds a value or the wait for one; otherwise begins one, for which the caller must get the reply.</summary>
    public NearCacheEntry FindOrBegin(ReadOnlySpan<byte> key, out RespValue? value, out bool isNew)
    {
        lock (_gate)
        {
            isNew = !_entries.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out NearCacheEntry? entry);
            if (entry is null)
            {
                entry = new NearCacheEntry(key.ToArray());
                _entries.Add(entry.Key, entry);
            }

            value = entry.Value;
            if (value is null)
            {
                _misses++;
            }
            else
            {
                _hits++;
                entry.IsReferenced = true;
            }

            return entry;
        }
    }

    /// <summary>Counts a read of a key that is never kept.</summary>
    public void CountMiss() => Interlocked.Increment(ref _misses);

    /// <summary>Keeps the reply of an entry, unless its key was invalidated meanwhile or it is too large.</summary>
    public void Keep(NearCacheEntry entry, RespValue reply)
    {
        long bytes = EntryBytes + entry.Key.Length + (long)reply.Bytes.Length;
        lock (_gate)
        {
            if (!_entries.TryGetValue(entry.Key, out NearCacheEntry? found) || found != entry)
                return;
            if (bytes > maxBytes)
            {
                _entries.Remove(entry.Key);
                return;
            }

            (entry.Value, entry.Bytes) = (reply, bytes);
            PutIntoRing(entry);
            while (_count > maxEntries || _bytes > maxBytes)
                RemoveOne(entry);
        }
    }

    /// <summary>Removes an entry that got no reply.</summary>
    public void Drop(NearCacheEntry entry)
    {
        lock (_gate)
        {
            if (_entries.TryGetValue(entry.Key, out NearCacheEntry? found) && found == entry)
                Remove(entry);
        }
    }

    /// <summary>Removes a key.</summary>
    public void Remove(ReadOnlySpan<byte> key)
    {
        lock (_gate)
        {
            if (_entries.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out NearCacheEntry? entry))
                Remove(entry);
        }
    }

    /// <summary>The server has announced that a key has changed.</summary>
    public void Invalidate(ReadOnlySpan<byte> key)
    {
        Interlocked.Increment(ref _invalidations);
        Remove(key);
    }

    /// <summary>Removes everything.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _entries.Clear();
            _ring.Clear();
            _free.Clear();
            (_hand, _count, _bytes) = (0, 0, 0);
        }
    }

    private void PutIntoRing(NearCacheEntry entry)
    {
        if (_free.TryPop(out int slot))
        {
            _ring[slot] = entry;
        }
        else
        {
            slot = _ring.Count;
            _ring.Add(entry);
        }

        entry.Slot = slot;
        _count++;
        _bytes += entry.Bytes;
    }

    private void RemoveOne(NearCacheEntry last)
    {
        while (true)
        {
            _hand = (_hand + 1) % _ring.Count;
            if (_ring[_hand] is not { } entry || entry == last)
                continue;
            if (!entry.IsReferenced)
            {
                Remove(entry);
                return;
            }

            entry.IsReferenced = false;
        }
    }

    private void Remove(NearCacheEntry entry)
    {
        _entries.Remove(entry.Key);
        if (entry.Slot < 0)
            return;
        _ring[entry.Slot] = null;
        _free.Push(entry.Slot);
        entry.Slot = -1;
        _count--;
        _bytes -= entry.Bytes;
    }
}
