// The values under no key that a session is building. Used by the session's thread.
using Garnet.Store.Memory;

namespace Garnet.Store.Collections;

/// <summary>
/// Knows the block of each detached value, so that a command that throws leaves none of them, nor the trees they lead to, behind.
/// </summary>
internal sealed unsafe class DetachedBlocks(HybridLogStore store)
{
    // A command builds one or two at a time, so they are searched for from the end.
    private readonly List<nint> _blocks = [];

    /// <summary>Values that are being built.</summary>
    public int Count => _blocks.Count;

    /// <summary>Notes that a value's block has been replaced; null for one that had none.</summary>
    public void Replace(BlockHeader* block, BlockHeader* replacement)
    {
        if (block == null)
        {
            _blocks.Add((nint)replacement);
        }
        else
        {
            _blocks[_blocks.LastIndexOf((nint)block)] = (nint)replacement;
        }
    }

    /// <summary>Forgets a value that was given up or stored.</summary>
    public void Remove(BlockHeader* block) => _blocks.RemoveAt(_blocks.LastIndexOf((nint)block));

    /// <summary>Gives up all values with their trees: no command is left that could.</summary>
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
