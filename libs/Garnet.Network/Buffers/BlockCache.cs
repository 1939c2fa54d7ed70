// The blocks that one owner loop keeps for reuse. Only code running on that loop touches it.
namespace Garnet.Network.Buffers;

internal sealed class BlockCache
{
    // Up to 64 KiB of each class and at least two blocks: 0.6 MiB of small classes and 4 MiB of large ones in the worst case.
    private const int DepthBytes = 64 * 1024;
    private const int ReferenceDepth = 256;

    private readonly Block?[][] _blocks = new Block?[BlockPool.Classes][];
    private readonly int[] _counts = new int[BlockPool.Classes];
    private readonly Stack<Block> _references = new();

    internal BlockCache()
    {
        for (int i = 0; i < _blocks.Length; i++)
            _blocks[i] = new Block?[Math.Clamp(DepthBytes / (BlockPool.SmallestBytes << i), 2, 64)];
    }

    internal Block? Take(int sizeClass)
    {
        int count = _counts[sizeClass];
        if (count == 0)
            return null;
        _counts[sizeClass] = --count;
        return _blocks[sizeClass][count];
    }

    internal bool Put(Block block)
    {
        Block?[] stack = _blocks[block.SizeClass];
        int count = _counts[block.SizeClass];
        if (count == stack.Length)
            return false;
        stack[count] = block;
        _counts[block.SizeClass] = count + 1;
        return true;
    }

    internal Block? TakeReference() => _references.TryPop(out Block? block) ? block : null;

    internal void PutReference(Block block)
    {
        if (_references.Count < ReferenceDepth)
            _references.Push(block);
    }

    /// <summary>Returns everything to the shared pool when the loop ends.</summary>
    internal void Clear()
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            while (Take(i) is { } block)
                block.Pool!.PutShared(block);
        }
    }
}
