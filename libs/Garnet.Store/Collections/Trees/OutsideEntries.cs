// Allocates and frees entries that lie outside of leaves. Thread-safe.
namespace Garnet.Store;

/// <summary>Entries outside of leaves: those of a few KiB among the nodes, longer ones in blocks.</summary>
internal sealed unsafe class OutsideEntries(NodeHeap heap, BlockHeap blocks) : IDisposable
{
    // Blocks in use, so that a store that goes can free them without walking its trees.
    private readonly HashSet<nint> _blocks = [];

    /// <summary>A copy of an entry, with one reference.</summary>
    public OutsideEntry* Add(ReadOnlySpan<byte> bytes)
    {
        int size = OutsideEntry.HeaderBytes + bytes.Length;
        OutsideEntry* entry;
        if (size <= NodeClasses.MostBytes)
        {
            entry = (OutsideEntry*)heap.Allocate(size);
            entry->Block = null;
        }
        else
        {
            BlockHeader* block = blocks.Allocate(size, size);
            blocks.Count(block, size);
            entry = (OutsideEntry*)block->Data;
            entry->Block = block;
            lock (_blocks)
            {
                _blocks.Add((nint)block);
            }
        }

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
    public static long Footprint(int length)
    {
        int size = OutsideEntry.HeaderBytes + length;
        return size <= NodeClasses.MostBytes ? NodeClasses.Round(size) : BlockHeap.BytesOf(1) * ((size + BlockHeap.BytesOf(1) - 1) / BlockHeap.BytesOf(1));
    }

    /// <summary>Gives a reference back; the last one frees the entry.</summary>
    public void Release(OutsideEntry* entry)
    {
        if (Interlocked.Decrement(ref entry->References) != 0)
        {
            return;
        }

        BlockHeader* block = entry->Block;
        if (block == null)
        {
            heap.Free(entry);
            return;
        }

        lock (_blocks)
        {
            _blocks.Remove((nint)block);
        }

        blocks.Release(block);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint block in _blocks)
        {
            blocks.Release((BlockHeader*)block);
        }

        _blocks.Clear();
    }
}
