// Native memory of any size that belongs to trees without being one of their nodes. Thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Allocates a few KiB among the nodes of trees and more in a block. Whoever has the memory keeps the block beside it, null when it is a
/// node.
/// </summary>
internal sealed unsafe class NodeOrBlockHeap(NodeHeap nodes, BlockHeap blocks) : IDisposable
{
    // Blocks in use, so that a store that goes can free them without walking its trees.
    private readonly HashSet<nint> _blocks = [];

    /// <summary>Memory for at least so many bytes, not cleared, and the block it lies in.</summary>
    public byte* Allocate(long bytes, out BlockHeader* block)
    {
        block = null;
        if (bytes <= NodeClasses.MaxBytes)
        {
            return nodes.Allocate((int)bytes);
        }

        block = blocks.Allocate(0, bytes);
        blocks.Count(block, bytes);
        lock (_blocks)
        {
            _blocks.Add((nint)block);
        }

        return block->Data;
    }

    /// <summary>Frees what <see cref="Allocate"/> gave.</summary>
    public void Free(void* memory, BlockHeader* block)
    {
        if (block == null)
        {
            nodes.Free(memory);
            return;
        }

        lock (_blocks)
        {
            _blocks.Remove((nint)block);
        }

        blocks.Release(block);
    }

    /// <summary>Bytes of memory that so many bytes take.</summary>
    public static long Footprint(long bytes)
    {
        long granule = BlockHeap.BytesOf(1);
        return bytes <= NodeClasses.MaxBytes ? NodeClasses.Round((int)bytes) : (bytes + granule - 1) / granule * granule;
    }

    /// <summary>Frees the blocks; the nodes go with their heap.</summary>
    public void Dispose()
    {
        foreach (nint block in _blocks)
        {
            blocks.Release((BlockHeader*)block);
        }

        _blocks.Clear();
    }
}
