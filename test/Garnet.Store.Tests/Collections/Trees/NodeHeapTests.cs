// Nodes do not overlap, are aligned and can be reused by any size class; memory is returned to the system.
using Garnet.Store.Collections.Trees;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections.Trees;

public sealed unsafe class NodeHeapTests(ITestOutputHelper output)
{
    [Fact]
    public void Every_size_has_a_class_that_holds_it_and_wastes_little()
    {
        for (int bytes = 1; bytes <= NodeClasses.MaxBytes; bytes++)
        {
            int rounded = NodeClasses.Round(bytes);
            Assert.True(rounded >= bytes);
            Assert.Equal(0, rounded % 16);
            Assert.True(bytes < 256 || rounded <= bytes * 4 / 3);
            int perSpan = (NodeClasses.SpanBytes - NodeClasses.SpanHeaderBytes) / rounded;
            Assert.True(NodeClasses.SpanBytes - (perSpan * rounded) <= 64 + (perSpan * 16));
        }
    }

    [Fact]
    public void Concurrent_allocation_never_hands_out_a_node_twice_and_all_memory_is_freed()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var heap = new NodeHeap();
        long mistakes = 0;
        var threads = new Thread[4];
        for (int t = 0; t < threads.Length; t++)
        {
            int number = t;
            threads[t] = new Thread(() => Interlocked.Add(ref mistakes, Churn(heap, number + 1, new Random(seed + number))));
            threads[t].Start();
        }

        Assert.All(threads, thread => Assert.True(thread.Join(TimeSpan.FromMinutes(1))));
        Assert.Equal(0, mistakes);
        Assert.Equal(0, heap.LiveNodes);
        heap.GiveBack(everything: true);
        Assert.Equal(0, heap.Bytes);
    }

    [Fact]
    public void Freed_memory_can_be_reused_for_another_size()
    {
        using var heap = new NodeHeap();
        var nodes = new List<nint>();
        for (int i = 0; i < 3000; i++)
            nodes.Add((nint)heap.Allocate(1000));

        long bytes = heap.Bytes;
        nodes.ForEach(node => heap.Free((void*)node));
        heap.GiveBack();
        nodes.Clear();
        for (int i = 0; i < 700; i++)
            nodes.Add((nint)heap.Allocate(4000));

        Assert.True(heap.Bytes <= bytes);
        nodes.ForEach(node => heap.Free((void*)node));
    }

    // Fills each node with a pattern and checks that it is unchanged.
    private static long Churn(NodeHeap heap, int thread, Random random)
    {
        var nodes = new List<(nint Node, int Longs, long Mark)>();
        long mistakes = 0;
        for (int i = 0; i < 30_000 || nodes.Count > 0; i++)
        {
            if (i < 30_000 && random.Next(500) >= nodes.Count)
            {
                int longs = random.Next(8, i % 2 == 0 ? 64 : NodeClasses.MaxBytes / 8);
                long mark = ((long)thread << 32) | (uint)i;
                byte* node = heap.Allocate(longs * 8);
                mistakes += (nint)node % 16 == 0 ? 0 : 1;
                new Span<long>(node, longs).Fill(mark);
                nodes.Add(((nint)node, longs, mark));
            }
            else if (nodes.Count > 0)
            {
                int index = random.Next(nodes.Count);
                (nint node, int longs, long mark) = nodes[index];
                mistakes += new Span<long>((void*)node, longs).IndexOfAnyExcept(mark) < 0 ? 0 : 1;
                heap.Free((void*)node);
                nodes[index] = nodes[^1];
                nodes.RemoveAt(nodes.Count - 1);
            }
        }

        return mistakes;
    }
}
