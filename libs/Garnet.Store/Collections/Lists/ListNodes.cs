// Keeps the node layout of a large list identical to Valkey's through every change. Used under the latch of the list's key.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>
/// Replays the changes of Valkey's quicklist (quicklist.c), keeping only the number of elements and bytes of each node. Every method is
/// called before the tree of elements changes. Sizes are those of <see cref="ListPackSize"/>, lengths those of the elements' texts.
/// </summary>
internal readonly unsafe ref struct ListNodes
{
    private readonly ListNodeHeap _heap;
    private readonly TreeHeader* _tree;
    private readonly ListNodeLimit _limit;

    /// <summary>The nodes of a tree that has a ring.</summary>
    public ListNodes(TreeStore trees, TreeHeader* tree)
    {
        _heap = trees.ListNodes;
        _tree = tree;
        _limit = new ListNodeLimit(ListNodeHeap.RingOf(tree)->Setting);
    }

    private ListNodeRing* Ring => ListNodeHeap.RingOf(_tree);

    /// <summary>Call before an element is inserted at the head.</summary>
    public void PushFirst(long length, long size) => Push(length, size, isFirst: true);

    /// <summary>Call before an element is appended at the tail.</summary>
    public void PushLast(long length, long size) => Push(length, size, isFirst: false);

    /// <summary>Call before an element is appended that starts a new node.</summary>
    public void PushNode(long length, long size, bool isPlain) =>
        _heap.Insert(_tree, Ring->Count, isPlain ? ListNode.Plain(length) : ListNode.Single(size));

    /// <summary>Call before an element is appended to the last node, regardless of the node's limit.</summary>
    public void PushInNode(long size)
    {
        ref ListNode last = ref ListNodeRing.At(Ring, Ring->Count - 1);
        last = last.Plus(1, size);
    }

    /// <summary>Call before an element is inserted before or after the one at an index.</summary>
    public void Insert(long index, long length, long size, bool isBehind)
    {
        var position = ListNodePosition.Find(Ring, _tree->Count, index);
        ListNode node = ListNodeRing.At(Ring, position.Node);
        bool isAtEdge = position.Offset == (isBehind ? node.Count - 1 : 0);
        int target = isBehind ? position.Node + 1 : position.Node;
        if (_limit.IsLarge(length))
        {
            InsertLarge(in position, length, isAtEdge, isBehind);
        }
        else if (_limit.Takes(node, length))
        {
            ListNodeRing.At(Ring, position.Node) = node.Plus(1, size);
        }
        else if (isAtEdge)
        {
            int neighbour = isBehind ? position.Node + 1 : position.Node - 1;
            InsertBeside(neighbour, target, length, size);
        }
        else
        {
            int split = Split(in position, isBehind ? position.Offset + 1 : position.Offset);
            int taker = isBehind ? split : position.Node;
            ListNodeRing.At(Ring, taker) = ListNodeRing.At(Ring, taker).Plus(1, size);
            Merge(isBehind ? position.Node : split);
        }
    }

    /// <summary>Call before the element at an index is replaced.</summary>
    public void Replace(long index, long oldSize, long length, long size)
    {
        var position = ListNodePosition.Find(Ring, _tree->Count, index);
        ListNode node = ListNodeRing.At(Ring, position.Node);
        if (node.IsPlain && _limit.IsLarge(length))
        {
            ListNodeRing.At(Ring, position.Node) = ListNode.Plain(length);
        }
        else if (node.IsPlain)
        {
            // The new element is inserted after the old one, whose node is then removed.
            InsertBeside(position.Node + 1, position.Node + 1, length, size);
            ListNodeRing.Remove(Ring, position.Node, 1);
        }
        else if (!_limit.IsLarge(length) && node.Bytes + size - oldSize <= ListNode.MaxBytes)
        {
            ListNodeRing.At(Ring, position.Node) = node.Plus(0, size - oldSize);
        }
        else
        {
            ReplaceApart(in position, oldSize, _limit.IsLarge(length) ? ListNode.Plain(length) : ListNode.Single(size));
        }
    }

    /// <summary>Call before one element is removed.</summary>
    public void RemoveOne(long index, long size)
    {
        int node =
            index == 0 ? 0
            : index == _tree->Count - 1 ? Ring->Count - 1
            : ListNodePosition.Find(Ring, _tree->Count, index).Node;
        RemoveFrom(node, 1, size);
    }

    /// <summary>Call before consecutive elements are removed; elements of nodes that are removed entirely are not read.</summary>
    public void RemoveRange(long index, long count)
    {
        var position = ListNodePosition.Find(Ring, _tree->Count, index);
        int node = position.Node;
        long first = position.First;
        if (position.Offset > 0)
        {
            ListNode partly = ListNodeRing.At(Ring, node);
            long removed = Math.Min(partly.Count - position.Offset, count);
            RemoveFrom(node, removed, BytesOf(partly, first, position.Offset, removed));
            first += partly.Count;
            count -= removed;
            node++;
        }

        int whole = 0;
        while (count > 0 && ListNodeRing.At(Ring, node + whole).Count <= count)
        {
            long elements = ListNodeRing.At(Ring, node + whole).Count;
            count -= elements;
            first += elements;
            whole++;
        }

        if (count > 0)
            RemoveFrom(node + whole, count, BytesOf(ListNodeRing.At(Ring, node + whole), first, 0, count));

        ListNodeRing.Remove(Ring, node, whole);
        _heap.Trim(_tree);
    }

    /// <summary>
    /// Removes an element from a node that stays in place, even if empty, until <see cref="RemoveEmpty"/>; for removing many elements in
    /// one walk.
    /// </summary>
    public void Take(int node, long size)
    {
        ref ListNode taken = ref ListNodeRing.At(Ring, node);
        taken = taken.IsPlain ? ListNode.Packed(0, 0) : taken.Plus(-1, -size);
    }

    /// <summary>Ends a walk that called <see cref="Take"/>.</summary>
    public void RemoveEmpty()
    {
        ListNodeRing.RemoveEmpty(Ring);
        _heap.Trim(_tree);
    }

    private void Push(long length, long size, bool isFirst)
    {
        ListNodeRing* ring = Ring;
        int end = isFirst ? 0 : ring->Count - 1;
        if (ring->Count > 0 && _limit.Takes(ListNodeRing.At(ring, end), length))
        {
            ref ListNode node = ref ListNodeRing.At(ring, end);
            node = node.Plus(1, size);
        }
        else
        {
            _heap.Insert(_tree, isFirst ? 0 : ring->Count, _limit.IsLarge(length) ? ListNode.Plain(length) : ListNode.Single(size));
        }
    }

    // Before or after a node, or between its two halves.
    private void InsertLarge(in ListNodePosition position, long length, bool isAtEdge, bool isBehind)
    {
        int target = isBehind ? position.Node + 1 : position.Node;
        if (!isAtEdge)
            target = Split(in position, isBehind ? position.Offset + 1 : position.Offset);

        _heap.Insert(_tree, target, ListNode.Plain(length));
    }

    // At the edge of a full node: into the neighbour, or into a new node between the two.
    private void InsertBeside(int neighbour, int target, long length, long size)
    {
        if (neighbour >= 0 && neighbour < Ring->Count && _limit.Takes(ListNodeRing.At(Ring, neighbour), length))
        {
            ref ListNode node = ref ListNodeRing.At(Ring, neighbour);
            node = node.Plus(1, size);
        }
        else
        {
            _heap.Insert(_tree, target, ListNode.Single(size));
        }
    }

    // The new element gets a node of its own after its position, followed by a node with the rest; then small neighbours are merged.
    private void ReplaceApart(in ListNodePosition position, long oldSize, ListNode replacement)
    {
        ListNode node = ListNodeRing.At(Ring, position.Node);
        if (position.Offset < node.Count - 1)
            Split(in position, position.Offset + 1);

        _heap.Insert(_tree, position.Node + 1, replacement);
        bool wasAlone = ListNodeRing.At(Ring, position.Node).Count == 1;
        RemoveFrom(position.Node, 1, oldSize);
        if (!wasAlone)
            Merge(position.Node + 1);
    }

    // Splits a node before one of its elements; returns the index of the new node after it.
    private int Split(in ListNodePosition position, long offset)
    {
        ListNode node = ListNodeRing.At(Ring, position.Node);
        long bytes = BytesOf(node, position.First, offset, node.Count - offset);
        ListNodeRing.At(Ring, position.Node) = node.Plus(offset - node.Count, -bytes);
        _heap.Insert(_tree, position.Node + 1, ListNode.Packed(node.Count - offset, ListPackSize.Empty + bytes));
        return position.Node + 1;
    }

    // Tries to merge the two nodes before, the two after, then the node with its neighbours.
    private void Merge(int center)
    {
        if (center >= 2 && TryJoin(center - 2))
            center--;

        TryJoin(center + 1);
        if (center >= 1 && TryJoin(center - 1))
            center--;

        TryJoin(center);
    }

    // Merges a node with the one after it.
    private bool TryJoin(int left)
    {
        ListNodeRing* ring = Ring;
        if (left + 1 >= ring->Count || !_limit.Joins(ListNodeRing.At(ring, left), ListNodeRing.At(ring, left + 1)))
            return false;

        ListNode right = ListNodeRing.At(ring, left + 1);
        ListNodeRing.At(ring, left) = ListNodeRing.At(ring, left).Plus(right.Count, right.Bytes - ListPackSize.Empty);
        ListNodeRing.Remove(ring, left + 1, 1);
        return true;
    }

    private void RemoveFrom(int index, long count, long bytes)
    {
        ListNode node = ListNodeRing.At(Ring, index);
        if (node.Count == count)
        {
            ListNodeRing.Remove(Ring, index, 1);
            _heap.Trim(_tree);
        }
        else
        {
            ListNodeRing.At(Ring, index) = node.Plus(-count, -bytes);
        }
    }

    // Size of a range of a listpack's elements, summed over the range or over its complement, whichever is shorter.
    private long BytesOf(ListNode node, long first, long offset, long count)
    {
        if (count <= node.Count / 2)
            return Sum(first + offset, count);

        return node.Bytes - ListPackSize.Empty - Sum(first, offset) - Sum(first + offset + count, node.Count - offset - count);
    }

    private long Sum(long first, long count)
    {
        long bytes = 0;
        if (count == 0)
            return bytes;

        var cursor = default(TreeCursor);
        cursor.Seek(new TreeView(_tree), first);
        for (long left = count; left > 0; left--)
        {
            bytes += ListPackSize.Of(PackedEntries.Read(TreeEntry.At(ref cursor), 0));
            if (left > 1)
                cursor.MoveNext();
        }

        return bytes;
    }
}
