// A segment of the watch table: a small hash table with its own lock, so that growing it never takes long. Used under its lock.
namespace Garnet.Store.Watching;

/// <summary>
/// The watched keys whose salted hashes share the low <see cref="WatchTable.SegmentBits"/> bits, chained by the bits above those.
/// </summary>
internal sealed class WatchSegment
{
    private const int MinSlots = 4;
    private WatchedKey?[] _slots = new WatchedKey?[MinSlots];
    private int _count;

    /// <summary>Held while the segment is read or changed; the only lock taken inside is that of a database's list of watched
    /// keys.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Number of keys in the segment.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The entry of a key, or null.</summary>
    public WatchedKey? Find(ulong salted, int database, ReadOnlySpan<byte> key)
    {
        WatchedKey? entry = _slots[SlotOf(salted)];
        while (entry is not null && (entry.Salted != salted || entry.Database != database || !key.SequenceEqual(entry.Key)))
            entry = entry.NextInSlot;
        return entry;
    }

    /// <summary>Adds an entry that does not exist yet.</summary>
    public void Add(WatchedKey entry)
    {
        if (_count >= 2 * _slots.Length)
            Resize(4 * _slots.Length);
        Chain(entry);
        Volatile.Write(ref _count, _count + 1);
    }

    /// <summary>Removes an entry.</summary>
    public void Remove(WatchedKey entry)
    {
        ref WatchedKey? slot = ref _slots[SlotOf(entry.Salted)];
        if (slot == entry)
        {
            slot = entry.NextInSlot;
        }
        else
        {
            WatchedKey? link = slot;
            while (link!.NextInSlot != entry)
                link = link.NextInSlot;
            link.NextInSlot = entry.NextInSlot;
        }

        entry.NextInSlot = null;
        Volatile.Write(ref _count, _count - 1);
        if (_slots.Length > MinSlots && _count < _slots.Length / 8)
            Resize(_slots.Length / 4);
    }

    /// <summary>True when it has a key of a bucket with this local depth, which must exceed <see cref="WatchTable.SegmentBits"/>.</summary>
    public bool HasKeyOf(long bucket, int depth)
    {
        ulong mask = (1UL << depth) - 1;
        long step = 1L << (depth - WatchTable.SegmentBits);
        for (long slot = (bucket >> WatchTable.SegmentBits) & (_slots.Length - 1); slot < _slots.Length; slot += step)
        {
            for (WatchedKey? entry = _slots[slot]; entry is not null; entry = entry.NextInSlot)
            {
                if ((entry.Salted & mask) == (ulong)bucket)
                    return true;
            }
        }

        return false;
    }

    private long SlotOf(ulong salted) => (long)(salted >> WatchTable.SegmentBits) & (_slots.Length - 1);

    private void Chain(WatchedKey entry)
    {
        ref WatchedKey? slot = ref _slots[SlotOf(entry.Salted)];
        entry.NextInSlot = slot;
        slot = entry;
    }

    private void Resize(int slots)
    {
        WatchedKey?[] old = _slots;
        _slots = new WatchedKey?[slots];
        foreach (WatchedKey? first in old)
        {
            for (WatchedKey? entry = first; entry is not null; )
            {
                WatchedKey? next = entry.NextInSlot;
                Chain(entry);
                entry = next;
            }
        }
    }
}
