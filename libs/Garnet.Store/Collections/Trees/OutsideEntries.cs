// Allocates and frees entries that lie outside of leaves. Thread-safe.
namespace Garnet.Store;

/// <summary>Entries outside of leaves, each in memory of its own.</summary>
internal sealed unsafe class OutsideEntries(NodeOrBlockHeap heap)
{
    /// <summary>A copy of an entry, with one reference.</summary>
    public OutsideEntry* Add(ReadOnlySpan<byte> bytes)
    {
        var entry = (OutsideEntry*)heap.Allocate(OutsideEntry.HeaderBytes + bytes.Length, out BlockHeader* block);
        entry->Block = block;
        entry->References = 1;
        entry->Length = bytes.Length;
        bytes.CopyTo(new Span<byte>((byte*)entry + OutsideEntry.HeaderBytes, bytes.Length));
        return entry;
    }

    /// <summary>Makes an entry longer within the memory it has; false when others refer to it or it would need more.</summary>
    public static bool TryExtend(OutsideEntry* entry, int length)
    {
        int size = OutsideEntry.HeaderBytes + length;
        if (entry->Block != null || size > NodeClasses.MostBytes || Volatile.Read(ref entry->References) != 1 || Footprint(length) != Footprint(entry->Length))
        {
            return false;
        }

        entry->Length = length;
        return true;
    }

    /// <summary>Bytes of memory an entry of a length takes.</summary>
    public static long Footprint(int length) => NodeOrBlockHeap.Footprint(OutsideEntry.HeaderBytes + (long)length);

    /// <summary>Gives a reference back; the last one frees the entry.</summary>
    public void Release(OutsideEntry* entry)
    {
        if (Interlocked.Decrement(ref entry->References) == 0)
        {
            heap.Free(entry, entry->Block);
        }
    }
}
