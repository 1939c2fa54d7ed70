// Native blocks in powers of two from 256 bytes to 1 MiB, shared by the threads of one transport. Thread-safe: a loop's own cache first,
// then a locked stack.
using System.Numerics;
using Garnet.Network.Features;
using Garnet.Network.Loops;

namespace Garnet.Network.Buffers;

/// <summary>One per transport, so that servers in one process neither count nor retain each other's memory.</summary>
internal sealed class BlockPool
{
    internal const int SmallestBytes = 256;
    internal const int LargestPooledBytes = 1024 * 1024;
    internal const int Classes = 13; // 256 << 12 = 1 MiB

    // Memory retained beyond the loops' caches: at most 13 classes x 4 MiB.
    private const int RetainedBytesPerClass = 4 * 1024 * 1024;

    private readonly Stack<Block>[] _free = MakeStacks();
    private long _allocatedBytes;
    private volatile bool _isClosed;

    /// <summary>Bytes of native memory in blocks, in use or retained.</summary>
    internal long AllocatedBytes => Volatile.Read(ref _allocatedBytes);

    // 8 = log2(SmallestBytes)
    internal static int SizeClassOf(int bytes) => bytes <= SmallestBytes ? 0 : BitOperations.Log2((uint)bytes - 1) + 1 - 8;

    internal Block Rent(int bytes)
    {
        if (bytes > LargestPooledBytes)
            return Allocate(Block.Unpooled, bytes);
        int sizeClass = SizeClassOf(bytes);
        return CacheHere?.Take(sizeClass) ?? TakeShared(sizeClass) ?? Allocate(sizeClass, SmallestBytes << sizeClass);
    }

    /// <summary>Returns a block to its pool.</summary>
    internal static void Return(Block block)
    {
        block.Next = null;
        block.Start = 0;
        block.End = 0;
        block.Appending = false;
        if (block.SizeClass >= 0)
        {
            BlockPool pool = block.Pool!;
            if (pool.CacheHere is { } cache && cache.Put(block))
                return;
            pool.PutShared(block);
        }
        else if (block.SizeClass == Block.Unpooled)
        {
            block.Pool!.Free(block);
        }
    }

    /// <summary>Releases a sent block: to the pool, or a reference to its owner.</summary>
    internal static void ReleaseSent(Block block)
    {
        if (block.SizeClass != Block.Reference)
        {
            Return(block);
            return;
        }
        ISendOwner owner = block.Owner!;
        nint token = block.Token;
        block.Owner = null;
        block.Next = null;
        OwnerLoop.Current?.Cache.PutReference(block);
        owner.Release(token);
    }

    internal static Block RentReference() => OwnerLoop.Current?.Cache.TakeReference() ?? new Block(null, Block.Reference, 0);

    /// <summary>Retains nothing from now on: blocks in use are freed when they are returned.</summary>
    internal void Close()
    {
        _isClosed = true;
        foreach (Stack<Block> stack in _free)
        {
            lock (stack)
            {
                while (stack.TryPop(out Block? block))
                    Free(block);
            }
        }
    }

    internal void PutShared(Block block)
    {
        Stack<Block> stack = _free[block.SizeClass];
        lock (stack)
        {
            if (!_isClosed && (stack.Count + 1) * (long)block.Capacity <= RetainedBytesPerClass)
            {
                stack.Push(block);
                return;
            }
        }
        Free(block);
    }

    // The cache of the calling thread's loop, if that loop uses this pool.
    private BlockCache? CacheHere => OwnerLoop.Current is { } loop && loop.Blocks == this ? loop.Cache : null;

    private Block? TakeShared(int sizeClass)
    {
        Stack<Block> stack = _free[sizeClass];
        lock (stack)
            return stack.TryPop(out Block? block) ? block : null;
    }

    private Block Allocate(int sizeClass, int capacity)
    {
        Interlocked.Add(ref _allocatedBytes, capacity);
        return new Block(this, sizeClass, capacity);
    }

    private void Free(Block block)
    {
        Interlocked.Add(ref _allocatedBytes, -block.Capacity);
        block.Free();
    }

    private static Stack<Block>[] MakeStacks()
    {
        var stacks = new Stack<Block>[Classes];
        for (int i = 0; i < stacks.Length; i++)
            stacks[i] = new Stack<Block>();
        return stacks;
    }
}
