// How full leaves are, that memory comes back, that nothing managed is allocated.
using System.Buffers.Binary;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections.Trees;

public sealed unsafe class TreeMemoryTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("random", 0.85)]
    [InlineData("ascending", 0.95)]
    [InlineData("descending", 0.95)]
    public void Leaves_are_full_whatever_the_order_of_insertion(string way, double least)
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        int[] ids = [.. Enumerable.Range(1, 100_000)];
        if (way == "random")
        {
            new Random(1).Shuffle(ids);
        }
        else if (way == "descending")
        {
            Array.Reverse(ids);
        }

        InsertAll(forest, tree, ids);
        var structure = new TreeStructure<IdOrder>(default);
        structure.Check(tree->Root, tree->Root->Level);
        double fill = (double)structure.UsedBytes / structure.LeafBytes;
        output.WriteLine($"{fill:F3}, nodes {structure.NodeBytes}, heap {forest.Bytes}");
        Assert.True(fill > least);
        Assert.True(forest.Bytes < (structure.NodeBytes * 1.1) + (50 * NodeClasses.SpanBytes));
        forest.Drop(tree);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5000)]
    [InlineData(50_000)]
    public void A_copy_takes_and_counts_what_the_tree_does_and_shares_entries_outside(int outsideBytes)
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        InsertAll(forest, tree, [.. Enumerable.Range(1, 50_000)]);
        if (outsideBytes > 0)
        {
            TreeCursor cursor = default;
            cursor.Seek(new TreeView(tree), 50_000);
            forest.Ids.Insert(tree, ref cursor, Enumerable.Repeat((byte)0xFF, outsideBytes).ToArray());
        }

        long before = forest.Heap.LiveBytes;
        long blocksBefore = blocks.LiveBlocks;
        TreeHeader* copy = forest.Create();
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        forest.Ids.Copy(tree, copy);
        Assert.Equal(allocated, GC.GetAllocatedBytesForCurrentThread());
        long shared = outsideBytes == 0 ? 0 : OutsideEntries.Footprint(outsideBytes);
        Assert.Equal(tree->Count, copy->Count);
        Assert.Equal(forest.Heap.LiveBytes - before, copy->Bytes - shared - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        Assert.InRange(copy->Bytes, tree->Bytes / 1.01, tree->Bytes * 1.01);
        Assert.Equal(blocksBefore, blocks.LiveBlocks);
        forest.Drop(tree);
        forest.Drop(copy);
        while (forest.Reclaimer.Run(1000))
        {
        }

        Assert.Equal(0, forest.Heap.LiveNodes);
        Assert.Equal(0, blocks.LiveBlocks);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_list_costs_hardly_more_than_its_elements(bool isPushedFirst)
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[11];
        entry.Clear();
        entry[0] = 10;
        for (int i = 0; i < 200_000; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(entry[1..], i);
            cursor.Seek(new TreeView(tree), isPushedFirst ? 0 : tree->Count);
            forest.Places.Insert(tree, ref cursor, entry);
        }

        output.WriteLine($"{forest.Heap.LiveBytes / 200_000.0:F3} bytes an element of 11");
        Assert.True(forest.Heap.LiveBytes < 200_000 * 11.6);
        Assert.Equal(forest.Heap.LiveBytes, tree->Bytes - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        while (tree->Count > 10)
        {
            cursor.Seek(new TreeView(tree), isPushedFirst ? tree->Count - 1 : 0);
            forest.Places.Remove(tree, ref cursor);
        }

        Assert.True(forest.Heap.LiveBytes < 1000);
        forest.Drop(tree);
    }

    [Fact]
    public void A_tree_of_200_entries_is_not_mostly_air()
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        InsertAll(forest, tree, [.. Enumerable.Range(1, 200).Order(Comparer<int>.Create((a, b) => (a * 7919 % 211).CompareTo(b * 7919 % 211)))]);
        Assert.True(tree->Bytes < 200 * 30 * 1.3);
        Assert.Equal(forest.Heap.LiveBytes, tree->Bytes - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        forest.Drop(tree);
    }

    [Fact]
    public void Removing_most_entries_at_random_gives_most_memory_back()
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        var random = new Random(1);
        InsertAll(forest, tree, [.. Enumerable.Range(1, 100_000)]);
        long before = forest.Heap.LiveBytes;
        TreeCursor cursor = default;
        while (tree->Count > 10_000)
        {
            cursor.Seek(new TreeView(tree), random.NextInt64(tree->Count));
            forest.Ids.Remove(tree, ref cursor);
        }

        output.WriteLine($"{before} -> {forest.Heap.LiveBytes}");
        Assert.True(forest.Heap.LiveBytes < before / 6);
        forest.Drop(tree);
    }

    [Fact]
    public void Long_churn_with_changing_sizes_leaves_little_air_between_nodes()
    {
        int seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[400];
        entry.Clear();
        for (int round = 0; round < 6; round++)
        {
            int most = round % 2 == 0 ? 40 : 150;
            for (int i = 0; i < 60_000; i++)
            {
                var id = (ulong)random.Next(60_000);
                BinaryPrimitives.WriteUInt64LittleEndian(entry, id);
                bool isFound = forest.Ids.Find(new TreeView(tree), IdOrder.KeyOf(id, 0), ref cursor);
                if (isFound && random.Next(4) == 0)
                {
                    forest.Ids.Remove(tree, ref cursor);
                }
                else if (isFound)
                {
                    forest.Ids.Replace(tree, ref cursor, entry[..random.Next(16, most)]);
                }
                else
                {
                    forest.Ids.Insert(tree, ref cursor, entry[..random.Next(16, most)]);
                }
            }

            while (forest.Maintain())
            {
            }

            var structure = new TreeStructure<IdOrder>(default);
            Assert.Equal(tree->Count, structure.Check(tree->Root, tree->Root->Level));
            output.WriteLine($"{tree->Count}: used {structure.UsedBytes}, leaves {structure.LeafBytes}, heap {forest.Bytes}");
            Assert.Equal(forest.Heap.LiveBytes, structure.NodeBytes + NodeClasses.Round(sizeof(TreeHeader)));
            Assert.True(structure.UsedBytes > structure.LeafBytes * 0.7);
        }

        forest.Heap.GiveBack(everything: true);
        Assert.True(forest.Bytes < (forest.Heap.LiveBytes * 1.25) + (50 * NodeClasses.SpanBytes));
        forest.Drop(tree);
    }

    [Fact]
    public void Changes_and_look_ups_allocate_nothing_managed()
    {
        using var blocks = new BlockHeap();
        using var forest = new TreeForest(blocks, 1);
        TreeHeader* tree = forest.Create();
        InsertAll(forest, tree, [.. Enumerable.Range(1, 5_000)]);
        TreeCursor cursor = default;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 2_000; i++)
        {
            FrozenTree* frozen = i % 10 == 0 ? forest.Freeze(tree) : null;
            cursor.Seek(new TreeView(tree), i);
            forest.Ids.Remove(tree, ref cursor);
            Insert(forest, tree, 10_000 + i, ref cursor);
            forest.Ids.RemoveRange(tree, 100, 1);
            Insert(forest, tree, 20_000 + i, ref cursor);
            Assert.True(forest.Ids.TryGet(new TreeView(tree), IdOrder.KeyOf((ulong)(10_000 + i), 0), out _));
            if (frozen != null)
            {
                forest.Release(frozen);
            }
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        forest.Drop(tree);
    }

    [Fact]
    public void The_store_counts_trees_and_frees_dropped_ones_behind()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        long before = store.Statistics.AllocatedBytes;
        TreeHeader* tree = store.Trees.Create();
        InsertAll(store.Trees, tree, [.. Enumerable.Range(1, 200_000)]);
        Assert.True(store.Statistics.AllocatedBytes > before + (200_000 * 28));
        store.Trees.Drop(tree);
        while (store.Trees.Heap.LiveNodes > 0)
        {
            store.RunMaintenance();
        }

        store.Trees.Heap.GiveBack(everything: true);
        Assert.Equal(0, store.Trees.Bytes);
    }

    private static void InsertAll(TreeForest forest, TreeHeader* tree, int[] ids)
    {
        TreeCursor cursor = default;
        foreach (int id in ids)
        {
            Insert(forest, tree, id, ref cursor);
        }
    }

    private static void Insert(TreeForest forest, TreeHeader* tree, int id, ref TreeCursor cursor)
    {
        Span<byte> entry = stackalloc byte[28];
        entry.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)id);
        Assert.False(forest.Ids.Find(new TreeView(tree), IdOrder.KeyOf((ulong)id, 0), ref cursor));
        forest.Ids.Insert(tree, ref cursor, entry);
    }
}
