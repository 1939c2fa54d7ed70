// Allocates and frees entries that lie outside of leaves. Thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>Entries outside of leaves, each in memory of its own.</summary>
internal sealed unsafe class OverflowEntries(NodeOrBlockHeap heap)
{
    /// <summary>A copy of an entry, with one reference.</summary>
    public OverflowEntry* Add(ReadOnlySpan<byte> bytes)
    {
        var entry = (OverflowEntry*)heap.Allocate(OverflowEntry.HeaderBytes + bytes.Length, out BlockHeader* block);
        entry->Block = block;
        entry->References = 1;
        entry->Length = bytes.Length;
        bytes.CopyTo(new Span<byte>((byte*)entry + OverflowEntry.HeaderBytes, bytes.Length));
        return entry;
    }

    /// <summary>
    /// Makes an entry longer (or leaves its length) within the memory it has; false when others refer to it or it would need more.
    /// </summary>
    public static bool TryExtend(OverflowEntry* entry, int length)
    {
        bool fits =
            length == entry->Length
            || (
                entry->Block == null
                && OverflowEntry.HeaderBytes + length <= NodeClasses.MaxBytes
                && Footprint(length) == Footprint(entry->Length)
            );
        if (!fits || Volatile.Read(ref entry->References) != 1)
        {
            return false;
        }

        entry->Length = length;
        return true;
    }

    /// <summary>Bytes of memory an entry of a length takes.</summary>
    public static long Footprint(int length) => NodeOrBlockHeap.Footprint(OverflowEntry.HeaderBytes + (long)length);

    /// <summary>Gives a reference back; the last one frees the entry.</summary>
    public void Release(OverflowEntry* entry)
    {
        if (Interlocked.Decrement(ref entry->References) == 0)
        {
            heap.Free(entry, entry->Block);
        }
    }
}
