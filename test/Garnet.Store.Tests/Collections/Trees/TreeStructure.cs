// Checks a tree's invariants: counts, separators, levels, order, fill.
using Garnet.Store.Collections.Trees;
using Xunit;

namespace Garnet.Store.Tests.Collections.Trees;

/// <summary>Walks all nodes of a tree and checks them.</summary>
internal sealed unsafe class TreeStructure<TOrder>(TOrder order)
    where TOrder : struct, ITreeOrder
{
    public long Nodes { get; private set; }

    public long NodeBytes { get; private set; }

    public long LeafBytes { get; private set; }

    public long UsedBytes { get; private set; }

    public long Check(TreeNode* node, int level)
    {
        Assert.Equal(level, node->Level);
        Assert.True(node->Count > 0);
        Nodes++;
        NodeBytes += node->Capacity;
        return level == 0 ? CheckLeaf(node) : CheckInner(node);
    }

    private long CheckLeaf(TreeNode* leaf)
    {
        LeafBytes += leaf->Capacity;
        UsedBytes += LeafNode.UsedBytes(leaf);
        Assert.True(leaf->End <= leaf->Capacity);
        Assert.True(leaf->Count <= leaf->Slots * (leaf->IsCoded ? 16 : 1));
        for (int i = 0; i < leaf->Count && TOrder.Leaf == LeafKind.Tagged; i++)
        {
            byte tag = LeafNode.TagOf(leaf, order.FirstWord(LeafNode.Entry(leaf, i)));
            int first = LeafNode.FindTag(leaf, tag, out int behind);
            Assert.True(first <= i && i < behind);
        }

        return leaf->Count;
    }

    private long CheckInner(TreeNode* node)
    {
        long total = 0;
        Assert.True(node->Count <= node->Slots);
        for (int i = 0; i < node->Count; i++)
        {
            TreeNode* child = InnerNode.Child(node, i);
            long count = Check(child, node->Level - 1);
            Assert.Equal(InnerNode.Counts(node)[i], count);
            total += count;
            if (i > 0 && TOrder.Words > 0)
            {
                TreeWords separator = InnerNode.Separator(node, i, TOrder.Words);
                Assert.True(separator.CompareTo(order.ShortenEntry(Edge(child, isLast: false)), TOrder.Words) <= 0);
                Assert.True(separator.CompareTo(order.ShortenEntry(Edge(InnerNode.Child(node, i - 1), isLast: true)), TOrder.Words) >= 0);
            }
        }

        return total;
    }

    private static ReadOnlySpan<byte> Edge(TreeNode* node, bool isLast)
    {
        while (node->Level > 0)
            node = InnerNode.Child(node, isLast ? node->Count - 1 : 0);

        return LeafNode.Entry(node, isLast ? node->Count - 1 : 0);
    }
}
