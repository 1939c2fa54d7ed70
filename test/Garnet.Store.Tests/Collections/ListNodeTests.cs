// Unit tests of the ring of a list's nodes and of the decision what fits in a node; their memory is counted and freed.
using System.Text;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed unsafe class ListNodeTests(ITestOutputHelper output)
{
    [Fact]
    public void A_ring_is_a_list_that_grows_and_shrinks_anywhere()
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var blocks = new BlockHeap();
        using var trees = new TreeStore(blocks, 1);
        TreeHeader* tree = trees.Create();
        long empty = tree->Bytes;
        trees.ListNodes.Create(tree, -2, isCompressed: true);
        List<long> model = [];
        for (int i = 0; i < 60_000; i++)
        {
            // Alternates long phases of growth, beyond the size of a tree's nodes, and of shrinking.
            bool grows = random.Next(10) < (i / 10_000 % 2 == 0 ? 8 : 2);
            int count = ListNodeHeap.RingOf(tree)->Count;
            int index = random.Next(3) switch
            {
                0 => 0,
                1 => count,
                _ => random.Next(count + 1),
            };
            if (grows)
            {
                trees.ListNodes.Insert(tree, index, ListNode.Packed(1, i));
                model.Insert(index, i);
            }
            else
            {
                int removed = Math.Min(count - index, random.Next(4));
                ListNodeRing.Remove(ListNodeHeap.RingOf(tree), index, removed);
                trees.ListNodes.Trim(tree);
                model.RemoveRange(index, removed);
            }

            if (i % 499 == 0)
                AssertSame(model, ListNodeHeap.RingOf(tree));
        }

        ListNodeRing* copy = trees.ListNodes.Copy(ListNodeHeap.RingOf(tree));
        AssertSame(model, copy);
        Assert.Equal(-2, copy->Setting);
        Assert.True(copy->IsCompressed);
        trees.ListNodes.Free(copy);
        while (model.Count > 0)
        {
            ListNodeRing.Remove(ListNodeHeap.RingOf(tree), 0, 1);
            trees.ListNodes.Trim(tree);
            model.RemoveAt(0);
        }

        Assert.InRange(ListNodeHeap.RingOf(tree)->Capacity, 4, 32);
        trees.ListNodes.Drop(tree);
        Assert.Equal(empty, tree->Bytes);
        trees.Drop(tree);
        Assert.Equal(0, trees.Heap.LiveNodes);
        Assert.Equal(0, blocks.LiveBlocks);
    }

    [Theory]
    [InlineData(-2, 8192, false)]
    [InlineData(-2, 8193, true)]
    [InlineData(-1, 4097, true)]
    [InlineData(-5, 65536, false)]
    [InlineData(-9, 65537, true)]
    [InlineData(3, 8192, false)]
    [InlineData(3, 8193, true)]
    public void An_element_is_large_by_the_bytes_of_a_node(int setting, int length, bool isLarge) =>
        Assert.Equal(isLarge, new ListNodeLimit(setting).IsLarge(length));

    [Fact]
    public void A_node_takes_what_fits_with_a_frame_to_spare()
    {
        var limit = new ListNodeLimit(-1);
        Assert.True(limit.Takes(ListNode.Packed(500, 4000), 88));
        Assert.False(limit.Takes(ListNode.Packed(500, 4000), 89));
        Assert.False(limit.Takes(ListNode.Plain(10), 1));
        var byNumber = new ListNodeLimit(3);
        Assert.True(byNumber.Takes(ListNode.Packed(2, 20), 1));
        Assert.False(byNumber.Takes(ListNode.Packed(3, 20), 1));
        Assert.False(byNumber.Takes(ListNode.Packed(2, 8180), 5));
        Assert.False(new ListNodeLimit(0).Takes(ListNode.Packed(1, 20), 1));
    }

    [Fact]
    public void Two_nodes_join_when_one_holds_both()
    {
        var limit = new ListNodeLimit(-1);
        Assert.True(limit.Joins(ListNode.Packed(2, 2000), ListNode.Packed(2, 2103)));
        Assert.False(limit.Joins(ListNode.Packed(2, 2000), ListNode.Packed(2, 2104)));
        Assert.False(limit.Joins(ListNode.Packed(2, 20), ListNode.Plain(20)));
    }

    [Fact]
    public void A_single_node_becomes_a_listpack_again_when_it_is_half_full()
    {
        Assert.True(new ListNodeLimit(-2).IsListPack(ListNode.Packed(9, 4096), isShrinking: true));
        Assert.False(new ListNodeLimit(-2).IsListPack(ListNode.Packed(9, 4097), isShrinking: true));
        Assert.True(new ListNodeLimit(-2).IsListPack(ListNode.Packed(9, 8192), isShrinking: false));
        Assert.True(new ListNodeLimit(6).IsListPack(ListNode.Packed(3, 20_000), isShrinking: true));
        Assert.False(new ListNodeLimit(6).IsListPack(ListNode.Packed(4, 20), isShrinking: true));
        Assert.False(new ListNodeLimit(1).IsListPack(ListNode.Packed(1, 20), isShrinking: true));
        Assert.False(new ListNodeLimit(-2).IsListPack(ListNode.Plain(20), isShrinking: false));
    }

    [Fact]
    public void Nodes_take_an_eighth_of_a_percent_and_are_copied_and_freed_with_the_list()
    {
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        byte[] key = "large"u8.ToArray();
        byte[] other = "other"u8.ToArray();
        var list = new ListValue(client.Open(key));
        byte[] element = Encoding.ASCII.GetBytes(new string('e', 100));
        for (int i = 0; i < 500_000; i++)
        {
            list.Expect(1, element.Length);
            list.PushLast(element);
        }

        QuickListShape shape = list.Shape;
        Assert.Equal(500_000 / (8192 / 103), (double)shape.Nodes, 500.0);
        Assert.InRange(list.Record.Contents.MemoryBytes, 500_000 * 100, 500_000 * 106);
        client.EndCommand();
        client.Session.Latch([new KeyReference(0, client.Session.Hash(key)), new KeyReference(0, client.Session.Hash(other))]);
        RecordHandle target = client.Session.Open(other, client.Session.Hash(other));
        client.Session.Open(key, client.Session.Hash(key)).CopyTo(ref target);
        Assert.Equal((shape.Nodes, shape.Bytes), (new ListValue(target).Shape.Nodes, new ListValue(target).Shape.Bytes));
        client.EndCommand();
        client.Open(key).Delete();
        Assert.Equal(shape.Nodes, new ListValue(client.Open(other)).Shape.Nodes);
        client.Open(other).Delete();
        client.Outside(() =>
        {
            while (store.Maintenance.Run()) { }
        });
        Assert.Equal(0, store.Trees.Heap.LiveNodes);
        Assert.Equal(0, store.Blocks.LiveBlocks);
    }

    private static void AssertSame(List<long> model, ListNodeRing* ring)
    {
        Assert.Equal(model.Count, ring->Count);
        for (int i = 0; i < model.Count; i++)
            Assert.Equal(model[i], ListNodeRing.At(ring, i).Bytes);
    }
}
