// Native memory of any size that is owned by trees but is not one of their nodes. Thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Allocates up to a few KiB among the nodes of trees and larger sizes as blocks. The owner stores the block next to the pointer; it is
/// null for a node.
/// </summary>
internal sealed unsafe class NodeOrBlockHeap(NodeHeap nodes, BlockHeap blocks) : IDisposable
{
    // Blocks in use, so that the store's disposal can free them without walking its trees.
    private readonly HashSet<nint> _blocks = [];

    /// <summary>Memory of at least that many bytes, not zeroed, and the block that contains it.</summary>
    public byte* Allocate(long bytes, out BlockHeader* block)
    {
        block = null;
        if (bytes <= NodeClasses.MaxBytes)
            return nodes.Allocate((int)bytes);

        block = blocks.Allocate(0, bytes);
        blocks.Count(block, bytes);
        lock (_blocks)
            _blocks.Add((nint)block);

        return block->Data;
    }

    /// <summary>Frees memory from <see cref="Allocate"/>.</summary>
    public void Free(void* memory, BlockHeader* block)
    {
        if (block == null)
        {
            nodes.Free(memory);
            return;
        }

        lock (_blocks)
            _blocks.Remove((nint)block);

        blocks.Release(block);
    }

    /// <summary>Bytes of memory that an allocation takes.</summary>
    public static long Footprint(long bytes)
    {
        long granule = BlockHeap.BytesOf(1);
        return bytes <= NodeClasses.MaxBytes ? NodeClasses.Round((int)bytes) : (bytes + granule - 1) / granule * granule;
    }

    /// <summary>Frees the blocks; the nodes are freed with their heap.</summary>
    public void Dispose()
    {
        foreach (nint block in _blocks)
            blocks.Release((BlockHeader*)block);

        _blocks.Clear();
    }
}
