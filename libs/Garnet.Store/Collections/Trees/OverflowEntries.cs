// Allocates and frees external entries, which are stored outside of leaves. Thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>External entries, each in memory of its own.</summary>
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
    /// Extends an entry (or keeps its length) within its memory; false when it has other references or would need more memory.
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
            return false;

        entry->Length = length;
        return true;
    }

    /// <summary>Memory taken by an entry of a length.</summary>
    public static long Footprint(int length) => NodeOrBlockHeap.Footprint(OverflowEntry.HeaderBytes + (long)length);

    /// <summary>Releases a reference; the last one frees the entry.</summary>
    public void Release(OverflowEntry* entry)
    {
        if (Interlocked.Decrement(ref entry->References) == 0)
            heap.Free(entry, entry->Block);
    }
}
