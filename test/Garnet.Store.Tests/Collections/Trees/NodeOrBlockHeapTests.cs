// Memory outside of trees: where each size is allocated, that its actual size is counted, and that it is freed.
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections.Trees;

public sealed unsafe class NodeOrBlockHeapTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(1, false)]
    [InlineData(4000, false)]
    [InlineData(NodeClasses.MaxBytes, false)]
    [InlineData(NodeClasses.MaxBytes + 1, true)]
    [InlineData(20_480, true)]
    [InlineData(100_001, true)]
    [InlineData((8L << 20) + 1, true)]
    public void Each_size_is_allocated_in_its_place_and_counted_exactly(long bytes, bool isBlock)
    {
        using var blocks = new BlockHeap();
        using var nodes = new NodeHeap();
        using var heap = new NodeOrBlockHeap(nodes, blocks);
        byte* memory = heap.Allocate(bytes, out BlockHeader* block);
        new Span<byte>(memory, (int)bytes).Fill(0xAB);
        Assert.Equal(isBlock, block != null);
        Assert.Equal(isBlock ? 0 : 1, nodes.LiveNodes);
        Assert.Equal(isBlock ? 1 : 0, blocks.LiveBlocks);
        Assert.Equal(nodes.LiveBytes + blocks.UsedBytes, NodeOrBlockHeap.Footprint(bytes));
        Assert.InRange(NodeOrBlockHeap.Footprint(bytes), bytes, bytes + Math.Max(4096, bytes / 8));
        heap.Free(memory, block);
        Assert.Equal(0, nodes.LiveBytes + blocks.UsedBytes);
    }

    [Fact]
    public void Memory_in_use_is_freed_with_the_heap()
    {
        using var blocks = new BlockHeap();
        using (var nodes = new NodeHeap())
        using (var heap = new NodeOrBlockHeap(nodes, blocks))
        {
            heap.Allocate(50_000, out _);
            byte* freed = heap.Allocate(60_000, out BlockHeader* block);
            heap.Allocate(70_000, out _);
            heap.Free(freed, block);
            Assert.Equal(2, blocks.LiveBlocks);
        }

        Assert.Equal(0, blocks.LiveBlocks);
        Assert.Equal(0, blocks.UsedBytes);
    }

    [Fact]
    public void Concurrent_allocations_never_overlap()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var blocks = new BlockHeap();
        using var nodes = new NodeHeap();
        using var heap = new NodeOrBlockHeap(nodes, blocks);
        Parallel.For(
            0,
            4,
            thread =>
            {
                var random = new Random(seed + thread);
                var held = new Queue<(nint Memory, nint Block, int Bytes, byte Mark)>();
                for (int i = 0; i < 2000; i++)
                {
                    int bytes = random.Next(4) == 0 ? random.Next(16_000, 40_000) : random.Next(1, 2000);
                    byte* memory = heap.Allocate(bytes, out BlockHeader* block);
                    byte mark = (byte)random.Next(256);
                    new Span<byte>(memory, bytes).Fill(mark);
                    held.Enqueue(((nint)memory, (nint)block, bytes, mark));
                    if (held.Count > 20)
                        FreeFirst(heap, held);
                }

                while (held.Count > 0)
                    FreeFirst(heap, held);
            }
        );
        Assert.Equal(0, nodes.LiveNodes);
        Assert.Equal(0, blocks.LiveBlocks);
    }

    private static void FreeFirst(NodeOrBlockHeap heap, Queue<(nint Memory, nint Block, int Bytes, byte Mark)> held)
    {
        (nint memory, nint block, int bytes, byte mark) = held.Dequeue();
        Assert.Equal(-1, new ReadOnlySpan<byte>((byte*)memory, bytes).IndexOfAnyExcept(mark));
        heap.Free((byte*)memory, (BlockHeader*)block);
    }
}
