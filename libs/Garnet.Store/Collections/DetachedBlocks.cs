// Detached values, which have no key yet, that a session is building. Owned by the session's thread; not thread-safe.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections;

/// <summary>
/// Tracks the block of each detached value, so that a command that throws leaks neither the blocks nor the trees they point to.
/// </summary>
internal sealed unsafe class DetachedBlocks(HybridLogStore store)
{
    // A command builds one or two at a time, so a linear search from the end suffices.
    private readonly List<nint> _blocks = [];

    /// <summary>Number of values being built.</summary>
    public int Count => _blocks.Count;

    /// <summary>Records that a value's block has been replaced; <paramref name="block"/> is null for a new value.</summary>
    public void Replace(BlockHeader* block, BlockHeader* replacement)
    {
        if (block == null)
            _blocks.Add((nint)replacement);
        else
            _blocks[_blocks.LastIndexOf((nint)block)] = (nint)replacement;
    }

    /// <summary>Stops tracking a value that was discarded or stored.</summary>
    public void Remove(BlockHeader* block) => _blocks.RemoveAt(_blocks.LastIndexOf((nint)block));

    /// <summary>Frees all values with their trees, after the command that owned them has ended.</summary>
    public void DiscardAll()
    {
        foreach (nint each in _blocks)
        {
            var block = (BlockHeader*)each;
            CollectionTrees.Drop(store.Trees, new ReadOnlySpan<byte>(block->Data, block->Length));
            store.Blocks.Release(block);
        }

        _blocks.Clear();
    }
}
