// Native blocks in powers of two from 256 bytes to 1 MiB, shared by all threads of the process. Thread-safe: a loop's own cache first, then a locked stack.
using System.Numerics;

namespace Garnet.Network;

internal static class BlockPool
{
    internal const int SmallestBytes = 256;
    internal const int LargestPooledBytes = 1024 * 1024;
    internal const int Classes = 13; // 256 << 12 = 1 MiB

    // What the process keeps beyond the loops' caches: 13 classes x 4 MiB at most.
    private const int RetainedBytesPerClass = 4 * 1024 * 1024;

    private static readonly Stack<Block>[] s_free = MakeStacks();
    private static long s_allocatedBytes;

    /// <summary>Bytes of native memory that exist as blocks, in use or kept.</summary>
    internal static long AllocatedBytes => Volatile.Read(ref s_allocatedBytes);

    internal static int SizeClassOf(int bytes) =>
        bytes <= SmallestBytes ? 0 : BitOperations.Log2((uint)bytes - 1) + 1 - 8; // 8 = log2(SmallestBytes)

    internal static Block Rent(int bytes)
    {
        if (bytes > LargestPooledBytes)
            return Allocate(Block.Unpooled, bytes);
        var sizeClass = SizeClassOf(bytes);
        return OwnerLoop.Current?.Cache.Take(sizeClass) ?? TakeShared(sizeClass) ?? Allocate(sizeClass, SmallestBytes << sizeClass);
    }

    internal static void Return(Block block)
    {
        block.Next = null;
        block.Start = 0;
        block.End = 0;
        block.Appending = false;
        if (block.SizeClass >= 0)
        {
            if (OwnerLoop.Current is { } loop && loop.Cache.Put(block))
                return;
            PutShared(block);
        }
        else if (block.SizeClass == Block.Unpooled)
        {
            Free(block);
        }
    }

    /// <summary>Gives a sent block back: to the pool, or a reference to its owner.</summary>
    internal static void ReleaseSent(Block block)
    {
        if (block.SizeClass != Block.Reference)
        {
            Return(block);
            return;
        }
        var owner = block.Owner!;
        var token = block.Token;
        block.Owner = null;
        block.Next = null;
        OwnerLoop.Current?.Cache.PutReference(block);
        owner.Release(token);
    }

    internal static Block RentReference() => OwnerLoop.Current?.Cache.TakeReference() ?? new Block(Block.Reference, 0);

    internal static void PutShared(Block block)
    {
        var stack = s_free[block.SizeClass];
        lock (stack)
        {
            if ((stack.Count + 1) * (long)block.Capacity <= RetainedBytesPerClass)
            {
                stack.Push(block);
                return;
            }
        }
        Free(block);
    }

    private static Block? TakeShared(int sizeClass)
    {
        var stack = s_free[sizeClass];
        lock (stack)
            return stack.TryPop(out var block) ? block : null;
    }

    private static Block Allocate(int sizeClass, int capacity)
    {
        Interlocked.Add(ref s_allocatedBytes, capacity);
        return new Block(sizeClass, capacity);
    }

    private static void Free(Block block)
    {
        Interlocked.Add(ref s_allocatedBytes, -block.Capacity);
        block.Free();
    }

    private static Stack<Block>[] MakeStacks()
    {
        var stacks = new Stack<Block>[Classes];
        for (var i = 0; i < stacks.Length; i++)
            stacks[i] = new Stack<Block>();
        return stacks;
    }
}
