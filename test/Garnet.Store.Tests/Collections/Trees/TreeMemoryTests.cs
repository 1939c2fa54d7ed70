// How full leaves are, that memory is freed, and that no managed memory is allocated.
using System.Buffers.Binary;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Testing;
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
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        int[] ids = [.. Enumerable.Range(1, 100_000)];
        if (way == "random")
            new Random(TestSeed.Choose(1)).Shuffle(ids);
        else if (way == "descending")
            Array.Reverse(ids);

        InsertAll(trees, tree, ids);
        var structure = new TreeStructure<IdOrder>(default);
        structure.Check(tree->Root, tree->Root->Level);
        double fill = (double)structure.UsedBytes / structure.LeafBytes;
        output.WriteLine($"{fill:F3}, nodes {structure.NodeBytes}, heap {trees.Bytes}");
        Assert.True(fill > least);
        Assert.True(trees.Bytes < (structure.NodeBytes * 1.1) + (50 * NodeClasses.SpanBytes));
        trees.Drop(tree);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5000)]
    [InlineData(50_000)]
    public void A_copy_has_the_size_of_the_tree_and_shares_external_entries(int outsideBytes)
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        InsertAll(trees, tree, [.. Enumerable.Range(1, 50_000)]);
        if (outsideBytes > 0)
        {
            TreeCursor cursor = default;
            cursor.Seek(new TreeView(tree), 50_000);
            trees.Ids.Insert(tree, ref cursor, Enumerable.Repeat((byte)0xFF, outsideBytes).ToArray());
        }

        long before = trees.Heap.LiveBytes;
        long blocksBefore = blocks.LiveBlocks;
        TreeHeader* copy = trees.Create();
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        trees.Ids.Copy(tree, copy);
        Assert.Equal(allocated, GC.GetAllocatedBytesForCurrentThread());
        long shared = outsideBytes == 0 ? 0 : OverflowEntries.Footprint(outsideBytes);
        Assert.Equal(tree->Count, copy->Count);
        Assert.Equal(trees.Heap.LiveBytes - before, copy->Bytes - shared - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        Assert.InRange(copy->Bytes, tree->Bytes / 1.01, tree->Bytes * 1.01);
        Assert.Equal(blocksBefore, blocks.LiveBlocks);
        trees.Drop(tree);
        trees.Drop(copy);
        while (trees.Reclaimer.Run(1000)) { }

        Assert.Equal(0, trees.Heap.LiveNodes);
        Assert.Equal(0, blocks.LiveBlocks);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_list_costs_hardly_more_than_its_elements(bool isPushedFirst)
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[11];
        entry.Clear();
        entry[0] = 10;
        for (int i = 0; i < 200_000; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(entry[1..], i);
            cursor.Seek(new TreeView(tree), isPushedFirst ? 0 : tree->Count);
            trees.Positions.Insert(tree, ref cursor, entry);
        }

        output.WriteLine($"{trees.Heap.LiveBytes / 200_000.0:F3} bytes an element of 11");
        Assert.True(trees.Heap.LiveBytes < 200_000 * 11.6);
        Assert.Equal(trees.Heap.LiveBytes, tree->Bytes - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        while (tree->Count > 10)
        {
            cursor.Seek(new TreeView(tree), isPushedFirst ? tree->Count - 1 : 0);
            trees.Positions.Remove(tree, ref cursor);
        }

        Assert.True(trees.Heap.LiveBytes < 1000);
        trees.Drop(tree);
    }

    [Fact]
    public void A_tree_of_200_entries_is_not_mostly_empty_space()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        InsertAll(
            trees,
            tree,
            [.. Enumerable.Range(1, 200).Order(Comparer<int>.Create((a, b) => (a * 7919 % 211).CompareTo(b * 7919 % 211)))]
        );
        Assert.True(tree->Bytes < 200 * 30 * 1.3);
        Assert.Equal(trees.Heap.LiveBytes, tree->Bytes - sizeof(TreeHeader) + NodeClasses.Round(sizeof(TreeHeader)));
        trees.Drop(tree);
    }

    [Fact]
    public void Removing_most_entries_at_random_frees_most_memory()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        var random = new Random(TestSeed.Choose(1));
        InsertAll(trees, tree, [.. Enumerable.Range(1, 100_000)]);
        long before = trees.Heap.LiveBytes;
        TreeCursor cursor = default;
        while (tree->Count > 10_000)
        {
            cursor.Seek(new TreeView(tree), random.NextInt64(tree->Count));
            trees.Ids.Remove(tree, ref cursor);
        }

        output.WriteLine($"{before} -> {trees.Heap.LiveBytes}");
        Assert.True(trees.Heap.LiveBytes < before / 6);
        trees.Drop(tree);
    }

    [Fact]
    public void Long_churn_with_changing_sizes_causes_little_fragmentation()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[400];
        entry.Clear();
        for (int round = 0; round < 6; round++)
        {
            int most = round % 2 == 0 ? 40 : 150;
            for (int i = 0; i < 60_000; i++)
            {
                ulong id = (ulong)random.Next(60_000);
                BinaryPrimitives.WriteUInt64LittleEndian(entry, id);
                bool isFound = trees.Ids.Find(new TreeView(tree), IdOrder.KeyOf(id, 0), ref cursor);
                if (isFound && random.Next(4) == 0)
                    trees.Ids.Remove(tree, ref cursor);
                else if (isFound)
                    trees.Ids.Replace(tree, ref cursor, entry[..random.Next(16, most)]);
                else
                    trees.Ids.Insert(tree, ref cursor, entry[..random.Next(16, most)]);
            }

            while (trees.Maintain()) { }

            var structure = new TreeStructure<IdOrder>(default);
            Assert.Equal(tree->Count, structure.Check(tree->Root, tree->Root->Level));
            output.WriteLine($"{tree->Count}: used {structure.UsedBytes}, leaves {structure.LeafBytes}, heap {trees.Bytes}");
            Assert.Equal(trees.Heap.LiveBytes, structure.NodeBytes + NodeClasses.Round(sizeof(TreeHeader)));
            Assert.True(structure.UsedBytes > structure.LeafBytes * 0.7);
        }

        trees.Heap.GiveBack(everything: true);
        Assert.True(trees.Bytes < (trees.Heap.LiveBytes * 1.25) + (50 * NodeClasses.SpanBytes));
        trees.Drop(tree);
    }

    [Fact]
    public void Changes_and_look_ups_allocate_nothing_managed()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        InsertAll(trees, tree, [.. Enumerable.Range(1, 5_000)]);
        TreeCursor cursor = default;
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 2_000; i++)
        {
            TreeSnapshot* frozen = i % 10 == 0 ? trees.TakeSnapshot(tree) : null;
            cursor.Seek(new TreeView(tree), i);
            trees.Ids.Remove(tree, ref cursor);
            Insert(trees, tree, 10_000 + i, ref cursor);
            trees.Ids.RemoveRange(tree, 100, 1);
            Insert(trees, tree, 20_000 + i, ref cursor);
            Assert.True(trees.Ids.TryGet(new TreeView(tree), IdOrder.KeyOf((ulong)(10_000 + i), 0), out _));
            if (frozen != null)
                trees.Release(frozen);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        trees.Drop(tree);
    }

    [Fact]
    public void The_store_counts_trees_and_frees_dropped_ones_later()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        long before = store.Statistics.AllocatedBytes;
        TreeHeader* tree = store.Trees.Create();
        InsertAll(store.Trees, tree, [.. Enumerable.Range(1, 200_000)]);
        Assert.True(store.Statistics.AllocatedBytes > before + (200_000 * 28));
        store.Trees.Drop(tree);
        while (store.Trees.Heap.LiveNodes > 0)
            store.Maintenance.Run();

        store.Trees.Heap.GiveBack(everything: true);
        Assert.Equal(0, store.Trees.Bytes);
    }

    private static void InsertAll(TreeStore trees, TreeHeader* tree, int[] ids)
    {
        TreeCursor cursor = default;
        foreach (int id in ids)
            Insert(trees, tree, id, ref cursor);
    }

    private static void Insert(TreeStore trees, TreeHeader* tree, int id, ref TreeCursor cursor)
    {
        Span<byte> entry = stackalloc byte[28];
        entry.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)id);
        Assert.False(trees.Ids.Find(new TreeView(tree), IdOrder.KeyOf((ulong)id, 0), ref cursor));
        trees.Ids.Insert(tree, ref cursor, entry);
    }
}
