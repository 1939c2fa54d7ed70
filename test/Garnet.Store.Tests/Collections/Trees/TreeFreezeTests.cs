// Frozen trees read by other threads while the live tree changes; dropping trees; sharing snapshots.
using System.Buffers.Binary;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections.Trees;

public sealed unsafe class TreeFreezeTests(ITestOutputHelper output)
{
    [Fact]
    public void Frozen_trees_stay_unchanged_for_readers_while_a_writer_continues()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1, nodeBytes: 512);
        TreeHeader* tree = trees.Create();
        var readers = new Thread[3];
        var failures = new System.Collections.Concurrent.ConcurrentQueue<Exception>();
        using var queue = new System.Collections.Concurrent.BlockingCollection<nint>(boundedCapacity: 8);
        for (int i = 0; i < readers.Length; i++)
        {
            readers[i] = new Thread(() => ReadAll(trees, queue, failures));
            readers[i].Start();
        }

        bool isDone = false;
        var maintenance = new Thread(() =>
        {
            while (!Volatile.Read(ref isDone))
                trees.Maintain();
        });
        maintenance.Start();
        WriteAndFreeze(trees, tree, new Random(seed), queue);
        queue.CompleteAdding();
        Assert.All(readers, reader => Assert.True(reader.Join(TimeSpan.FromMinutes(2))));
        Volatile.Write(ref isDone, true);
        Assert.True(maintenance.Join(TimeSpan.FromMinutes(1)));
        Assert.Empty(failures);
        trees.Drop(tree);
        while (trees.Reclaimer.Run(1000)) { }

        Assert.Equal(0, trees.Heap.LiveNodes);
    }

    [Fact]
    public void Trees_of_several_threads_share_heap_and_reclaimer()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1, nodeBytes: 256);
        var failures = new System.Collections.Concurrent.ConcurrentQueue<Exception>();
        var writers = new Thread[4];
        for (int i = 0; i < writers.Length; i++)
        {
            var random = new Random(seed + i);
            writers[i] = new Thread(() =>
            {
                if (Record.Exception(() => ChangeForLong(trees, random)) is { } failure)
                    failures.Enqueue(failure);
            });
            writers[i].Start();
        }

        Assert.All(writers, writer => Assert.True(writer.Join(TimeSpan.FromMinutes(2))));
        Assert.Empty(failures);
        while (trees.Maintain()) { }

        Assert.Equal(0, trees.Heap.LiveNodes);
        Assert.Equal(0, blocks.LiveBlocks);
    }

    [Fact]
    public void A_dropped_tree_stays_readable_through_its_snapshot_and_is_freed_with_it()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = Numbers(trees, 50_000);
        TreeSnapshot* frozen = trees.TakeSnapshot(tree);
        trees.Drop(tree);
        while (trees.Reclaimer.Run(1000)) { }

        TreeCursor cursor = default;
        cursor.Seek(new TreeView(frozen), 0);
        long entries = 0;
        do
        {
            Assert.Equal((uint)entries++, BinaryPrimitives.ReadUInt32LittleEndian(cursor.Entry[1..]));
        } while (cursor.MoveNext());

        Assert.Equal(50_000, entries);
        trees.Release(frozen);
        while (trees.Reclaimer.Run(1000)) { }

        Assert.Equal(0, trees.Heap.LiveNodes);
    }

    [Fact]
    public void Dropping_a_large_tree_frees_few_nodes_on_the_caller()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = Numbers(trees, 300_000);
        long nodes = trees.Heap.LiveNodes;
        trees.Drop(tree);
        Assert.True(trees.Heap.LiveNodes > nodes - 100);
        int rounds = 0;
        while (trees.Maintain())
            rounds++;

        output.WriteLine($"{nodes} nodes, {rounds} rounds");
        Assert.Equal(0, trees.Heap.LiveNodes);
    }

    [Fact]
    public void The_first_change_after_a_freeze_copies_one_path_and_later_changes_to_it_copy_nothing()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = Numbers(trees, 100_000);
        TreeSnapshot* frozen = trees.TakeSnapshot(tree);
        long nodes = trees.Heap.LiveNodes;
        Overwrite(trees, tree, 50_000);
        Assert.Equal(nodes + tree->Root->Level + 1, trees.Heap.LiveNodes);
        Overwrite(trees, tree, 50_000);
        Assert.Equal(nodes + tree->Root->Level + 1, trees.Heap.LiveNodes);
        Assert.True(trees.RetiredBytes is > 4000 and < 20_000);
        trees.Release(frozen);
        trees.Reclaimer.Run(1000);
        Assert.Equal(0, trees.RetiredBytes);
        Assert.Equal(nodes - 1, trees.Heap.LiveNodes);
        trees.Drop(tree);
    }

    [Fact]
    public void Freezing_an_unchanged_tree_again_gives_the_same_snapshot()
    {
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = Numbers(trees, 100);
        TreeSnapshot* first = trees.TakeSnapshot(tree);
        TreeSnapshot* second = trees.TakeSnapshot(tree);
        Assert.True(first == second);
        Overwrite(trees, tree, 5);
        TreeSnapshot* third = trees.TakeSnapshot(tree);
        Assert.True(third != first);
        trees.Release(first);
        Assert.Equal(100, second->Count);
        trees.Release(second);
        trees.Release(third);
        tree->User1 = 7;
        third = trees.TakeSnapshot(tree);
        Assert.Equal(7, third->User1);
        trees.Release(third);
        trees.Drop(tree);
        trees.Reclaimer.Run(1000);
        Assert.Equal(0, trees.Heap.LiveNodes);
    }

    private static void ChangeForLong(TreeStore trees, Random random)
    {
        using var model = new TreeModel<IdOrder>(
            trees,
            trees.Ids,
            random,
            some =>
            {
                byte[] entry = new byte[IdOrder.IdBytes + (some.Next(300) == 0 ? 20_000 : some.Next(100))];
                BinaryPrimitives.WriteUInt64LittleEndian(entry, (ulong)some.Next(800));
                return entry;
            },
            entry => IdOrder.KeyOf(BinaryPrimitives.ReadUInt64LittleEndian(entry), 0)
        );
        for (int i = 0; i < 15_000; i++)
        {
            model.Change(500);
            if (i % 50 == 0)
                model.Freeze();
            else if (i % 50 == 25)
                model.ReleaseOne();
            else if (random.Next(1000) == 0)
                trees.Maintain();
        }

        model.VerifyAll();
    }

    private static TreeHeader* Numbers(TreeStore trees, int count)
    {
        TreeHeader* tree = trees.Create();
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[20];
        entry[0] = 19;
        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(entry[1..], i);
            if (i == 0)
                cursor.Seek(new TreeView(tree), 0);
            else
                cursor.MoveNext();

            trees.Positions.Insert(tree, ref cursor, entry);
        }

        return tree;
    }

    private static void Overwrite(TreeStore trees, TreeHeader* tree, int index)
    {
        TreeCursor cursor = default;
        Span<byte> entry = stackalloc byte[20];
        entry.Clear();
        entry[0] = 19;
        BinaryPrimitives.WriteInt32LittleEndian(entry[1..], index);
        cursor.Seek(new TreeView(tree), index);
        trees.Positions.Replace(tree, ref cursor, entry);
    }

    // The writer stores the number and the sum of all IDs in the tree's user data, which is frozen with the tree.
    private static void WriteAndFreeze(
        TreeStore trees,
        TreeHeader* tree,
        Random random,
        System.Collections.Concurrent.BlockingCollection<nint> queue
    )
    {
        TreeCursor cursor = default;
        byte[] entry = new byte[IdOrder.IdBytes + 400];
        for (int i = 0; i < 60_000; i++)
        {
            ulong id = (ulong)random.Next(20_000);
            BinaryPrimitives.WriteUInt64LittleEndian(entry, id);
            BinaryPrimitives.WriteUInt64LittleEndian(entry.AsSpan(8), id * 3);
            bool isFound = trees.Ids.Find(new TreeView(tree), IdOrder.KeyOf(id, id * 3), ref cursor);
            if (isFound && random.Next(2) == 0)
            {
                trees.Ids.Remove(tree, ref cursor);
                tree->User0 -= (long)id;
            }
            else if (isFound)
            {
                trees.Ids.Replace(tree, ref cursor, entry.AsSpan(0, IdOrder.IdBytes + random.Next(400)));
            }
            else
            {
                trees.Ids.Insert(tree, ref cursor, entry.AsSpan(0, IdOrder.IdBytes + random.Next(50)));
                tree->User0 += (long)id;
            }

            if (random.Next(200) == 0)
                queue.Add((nint)trees.TakeSnapshot(tree));
        }
    }

    private static void ReadAll(
        TreeStore trees,
        System.Collections.Concurrent.BlockingCollection<nint> queue,
        System.Collections.Concurrent.ConcurrentQueue<Exception> failures
    )
    {
        foreach (nint frozen in queue.GetConsumingEnumerable())
        {
            if (Record.Exception(() => VerifySums((TreeSnapshot*)frozen)) is { } failure)
                failures.Enqueue(failure);

            trees.Release((TreeSnapshot*)frozen);
        }
    }

    private static void VerifySums(TreeSnapshot* frozen)
    {
        TreeCursor cursor = default;
        cursor.Seek(new TreeView(frozen), 0);
        long entries = 0;
        long sum = 0;
        while (!cursor.IsEnd)
        {
            ulong id = BinaryPrimitives.ReadUInt64LittleEndian(cursor.Entry);
            Assert.Equal(id * 3, BinaryPrimitives.ReadUInt64LittleEndian(cursor.Entry[8..]));
            entries++;
            sum += (long)id;
            cursor.MoveNext();
        }

        Assert.Equal(frozen->Count, entries);
        Assert.Equal(frozen->User0, sum);
    }
}
