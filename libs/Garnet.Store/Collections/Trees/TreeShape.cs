// Changes of a tree's shape: copying shared paths, growing, splitting, merging and cutting nodes. Used under the key's exclusive latch.
using System.Diagnostics;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Everything that changes beyond a leaf's entries. A leaf grows from size class to size class and is split in the middle when it has the
/// largest size, or many tagged entries; at either end of the tree a new leaf is started instead, so that entries added in order fill their
/// leaves. Nodes less than a quarter full are merged with a neighbour that has space.
/// </summary>
internal sealed unsafe class TreeShape<TOrder>(TreeStore trees, TOrder order)
    where TOrder : struct, ITreeOrder
{
    // A tree with this many levels is large enough that a leaf growing at its end may have spare capacity.
    private const int LevelsOfLargeTree = 2;

    // Limit for tagged leaves: few enough that header, tags and offsets are within the lines that LeafNode.Prefetch fetches, and that an
    // insertion moves few other entries.
    private const int MaxTagged = 96;
    private readonly NodeHeap _heap = trees.Heap;
    private readonly TOrder _order = order;

    /// <summary>Gives an empty tree its first leaf.</summary>
    public void Plant(TreeHeader* tree, ref TreeCursor cursor)
    {
        TreeNode* leaf = NewLeaf(tree, 1, 1, 0);
        tree->Root = leaf;
        cursor.Begin(leaf);
        cursor.Set(0, leaf, 0);
    }

    /// <summary>Makes the nodes of a path private to the live tree: those that a frozen tree may reach are copied.</summary>
    public void Own(TreeHeader* tree, ref TreeCursor cursor)
    {
        tree->IsChanged = true;
        long shared = Volatile.Read(ref tree->SharedThrough);
        if (shared < 0)
            return;

        for (int level = cursor.Levels - 1; level >= 0; level--)
        {
            TreeNode* node = cursor.Node(level);
            if (node->Birth <= shared)
                SetNode(tree, ref cursor, level, CopyNode(tree, node));
        }
    }

    /// <summary>
    /// Makes space in the cursor's leaf for an entry of that many stored bytes: the leaf grows, or is split, with the cursor moving to the
    /// part that receives the entry.
    /// </summary>
    public void MakeRoom(TreeHeader* tree, ref TreeCursor cursor, int bytes, ReadOnlySpan<byte> entry)
    {
        if (TryGrow(tree, ref cursor, 1, bytes))
            return;

        TreeNode* leaf = cursor.Leaf;
        EnsureChildRoom(tree, ref cursor, 1);
        if (cursor.Slot == leaf->Count && cursor.IsLastPath())
            BeginLeafBehind(tree, ref cursor, bytes, entry);
        else if (cursor.Slot == 0 && cursor.IsFirstPath())
            BeginLeafBefore(tree, ref cursor, bytes, entry);
        else
            SplitLeaf(tree, ref cursor, bytes);
    }

    /// <summary>
    /// Enlarges the cursor's leaf for <paramref name="entries"/> more entries of <paramref name="bytes"/> bytes in total; false, with
    /// nothing changed, when it would become too large.
    /// </summary>
    public bool TryGrow(TreeHeader* tree, ref TreeCursor cursor, int entries, int bytes)
    {
        TreeNode* leaf = cursor.Leaf;
        int count = leaf->Count + entries;
        int data = LeafNode.DataBytes(leaf) + bytes;
        int need = LeafNode.BytesFor(TOrder.Leaf, count, data);
        if (need > tree->NodeBytes || (TOrder.Leaf == LeafKind.Tagged && count > MaxTagged && entries > 0))
            return false;

        // An entry that grows is usually a stream's last node, and will grow again.
        bool isStart = entries > 0 && cursor.Slot == 0 && cursor.IsFirstPath();
        bool isEnd = isStart || (cursor.Slot == leaf->Count && cursor.IsLastPath());
        int spare = isEnd && cursor.Levels >= LevelsOfLargeTree ? need : need / (entries == 0 && TOrder.Leaf == LeafKind.Plain ? 4 : 16);
        TreeNode* larger = NewLeaf(tree, count, data, Math.Min(spare, tree->NodeBytes - need));
        CopyTagRange(leaf, larger);
        LeafNode.AppendRun(larger, leaf, 0, leaf->Count, isShared: false);
        if (TOrder.Leaf == LeafKind.Coded && isStart && leaf->Count != 0)
            CodedLeaf.MoveToEnd(larger);

        SetLink(tree, ref cursor, 0, larger);
        cursor.Set(0, larger, cursor.Slot);
        FreeMoved(tree, leaf);
        return true;
    }

    /// <summary>
    /// After entries of the cursor's leaf were removed: removes an empty leaf, merges or shrinks a small one. The cursor keeps its position
    /// among the entries.
    /// </summary>
    public void Tidy(TreeHeader* tree, ref TreeCursor cursor)
    {
        TreeNode* leaf = cursor.Leaf;
        int used = LeafNode.UsedBytes(leaf);
        if (leaf->Count == 0)
        {
            RemoveLeaf(tree, ref cursor);
        }
        else if (IsSmall(tree, leaf, used) && cursor.Levels > 1 && TryMergeLeaf(tree, ref cursor))
        {
            return;
        }
        else if (used + (used / 3) + 64 < leaf->Capacity)
        {
            TreeNode* smaller = NewLeaf(tree, leaf->Count, LeafNode.DataBytes(leaf), used / 16);
            CopyTagRange(leaf, smaller);
            LeafNode.AppendRun(smaller, leaf, 0, leaf->Count, isShared: false);
            SetLink(tree, ref cursor, 0, smaller);
            cursor.Set(0, smaller, cursor.Slot);
            FreeMoved(tree, leaf);
        }
    }

    /// <summary>Removes the entries in a range of indexes. Nodes beside the range may be left small.</summary>
    public void Cut(TreeHeader* tree, long from, long to)
    {
        tree->IsChanged = true;
        long count = tree->Count;
        TreeSnapshot* carrier = null;
        if (from == 0 && to == count)
        {
            DropSubtree(tree, tree->Root, ref carrier);
            tree->Root = null;
            tree->Bytes = sizeof(TreeHeader);
        }
        else
        {
            tree->Root = CutNode(tree, tree->Root, from, to, ref carrier);
            tree->Bytes -= carrier == null ? 0 : (long)((double)tree->Bytes * (to - from) / count);
            Collapse(tree);
        }

        tree->Count = count - (to - from);
        if (carrier != null)
            trees.Reclaimer.Enqueue(carrier);
    }

    /// <summary>After a cut: merges nodes that have become small on the path to an index, at every level.</summary>
    public void TidyPath(TreeHeader* tree, long index)
    {
        TreeCursor cursor = default;
        for (int level = 0; level < (tree->Root == null ? 0 : tree->Root->Level + 1); level++)
        {
            cursor.Seek(new TreeView(tree), Math.Min(index, tree->Count));
            Own(tree, ref cursor);
            if (level == 0)
                Tidy(tree, ref cursor);
            else
                MergeInner(tree, ref cursor, level);
        }
    }

    /// <summary>Copies a subtree into another tree.</summary>
    public TreeNode* CopySubtree(TreeHeader* tree, TreeNode* node)
    {
        TreeNode* copy = Duplicate(tree, node);
        if (copy->Level == 0)
        {
            tree->Bytes += LeafNode.OutsideBytes(copy);
            return copy;
        }

        nint* children = InnerNode.Children(copy);
        for (int i = 0; i < copy->Count; i++)
            children[i] = (nint)CopySubtree(tree, (TreeNode*)children[i]);

        return copy;
    }

    private static bool IsSmall(TreeHeader* tree, TreeNode* leaf, int used) =>
        used * 4 < tree->NodeBytes && (TOrder.Leaf != LeafKind.Tagged || leaf->Count * 4 < MaxTagged);

    private static bool IsShared(TreeHeader* tree, TreeNode* node) => node->Birth <= Volatile.Read(ref tree->SharedThrough);

    private static void CopyTagRange(TreeNode* from, TreeNode* to)
    {
        if (TOrder.Leaf != LeafKind.Tagged)
            return;

        to->Low = from->Low;
        to->Flags = (byte)((to->Flags & ~TreeNode.ShiftMask) | (from->Flags & TreeNode.ShiftMask));
    }

    private static int MaxChildren(TreeHeader* tree) => InnerNode.SlotsOf(tree->NodeBytes, TOrder.Words);

    // Sets the parent's pointer to the node at a level.
    private static void SetLink(TreeHeader* tree, ref TreeCursor cursor, int level, TreeNode* node)
    {
        if (level + 1 == cursor.Levels)
            tree->Root = node;
        else
            InnerNode.Children(cursor.Node(level + 1))[cursor.SlotOf(level + 1)] = (nint)node;
    }

    private static void SetNode(TreeHeader* tree, ref TreeCursor cursor, int level, TreeNode* node)
    {
        SetLink(tree, ref cursor, level, node);
        cursor.Set(level, node, cursor.SlotOf(level));
    }

    // Replaces a node by a copy private to the live tree; the original is retired.
    private TreeNode* CopyNode(TreeHeader* tree, TreeNode* node)
    {
        TreeNode* copy = Duplicate(tree, node);
        Retire(tree, node);
        return copy;
    }

    private TreeNode* Duplicate(TreeHeader* tree, TreeNode* node)
    {
        TreeNode* copy =
            node->Level == 0
                ? LeafNode.Copy(_heap, node, tree->Generation)
                : InnerNode.Copy(_heap, node, tree->Generation, Math.Min(node->Count + 1, MaxChildren(tree)), TOrder.Words);
        tree->Bytes += copy->Capacity;
        return copy;
    }

    private void Retire(TreeHeader* tree, TreeNode* node)
    {
        tree->Bytes -= node->Capacity;
        trees.Reclaimer.Retire(tree, node);
    }

    // Frees a private node of the live tree whose entries have been moved elsewhere.
    private void FreeMoved(TreeHeader* tree, TreeNode* node)
    {
        tree->Bytes -= node->Capacity;
        _heap.Free(node);
    }

    private TreeNode* NewLeaf(TreeHeader* tree, int entries, int bytes, int spare)
    {
        TreeNode* leaf = LeafNode.Allocate(_heap, TOrder.Leaf, tree->Generation, entries, bytes, spare);
        tree->Bytes += leaf->Capacity;
        return leaf;
    }

    private void BeginLeafBehind(TreeHeader* tree, ref TreeCursor cursor, int bytes, ReadOnlySpan<byte> entry)
    {
        TreeNode* full = cursor.Leaf;
        TreeNode* leaf = NewLeaf(tree, 1, bytes, 0);
        if (TOrder.Leaf == LeafKind.Tagged)
        {
            ulong word = _order.FirstWord(entry);
            LeafNode.SetTagRange(leaf, word, AddUpTo(word, Span(full)));
        }

        TreeNode* parent = cursor.Node(1);
        int slot = cursor.SlotOf(1) + 1;
        InnerNode.Insert(parent, slot, leaf, 0, _order.ShortenEntry(entry), TOrder.Words);
        cursor.Set(1, parent, slot);
        cursor.Set(0, leaf, 0);
    }

    private void BeginLeafBefore(TreeHeader* tree, ref TreeCursor cursor, int bytes, ReadOnlySpan<byte> entry)
    {
        TreeNode* full = cursor.Leaf;
        TreeNode* leaf = NewLeaf(tree, 1, bytes, 0);
        if (TOrder.Leaf == LeafKind.Tagged)
        {
            ulong word = _order.FirstWord(entry);
            ulong span = Span(full);
            LeafNode.SetTagRange(leaf, word < span ? 0 : word - span, word);
        }

        TreeNode* parent = cursor.Node(1);
        InnerNode.Insert(parent, 0, leaf, 0, default, TOrder.Words);
        InnerNode.SetSeparator(parent, 1, _order.ShortenEntry(LeafNode.Entry(full, 0)), TOrder.Words);
        cursor.Set(1, parent, 0);
        cursor.Set(0, leaf, 0);
    }

    // The distance between the first words of a leaf's first and last entries.
    private ulong Span(TreeNode* leaf) =>
        _order.FirstWord(LeafNode.Entry(leaf, leaf->Count - 1)) - _order.FirstWord(LeafNode.Entry(leaf, 0));

    private static ulong AddUpTo(ulong a, ulong b) => a > ulong.MaxValue - b ? ulong.MaxValue : a + b;

    private void SplitLeaf(TreeHeader* tree, ref TreeCursor cursor, int bytes)
    {
        TreeNode* leaf = cursor.Leaf;
        int count = leaf->Count;
        int middle = LeafNode.Middle(leaf, out int before);
        TreeNode* left = NewLeaf(tree, middle + 1, before + bytes, before / 16);
        TreeNode* right = NewLeaf(tree, count - middle + 1, LeafNode.DataBytes(leaf) - before + bytes, before / 16);
        LeafNode.AppendRun(left, leaf, 0, middle, isShared: false);
        LeafNode.AppendRun(right, leaf, middle, count - middle, isShared: false);
        Retag(left);
        Retag(right);
        SetLink(tree, ref cursor, 0, left);
        FreeMoved(tree, leaf);
        TreeNode* parent = cursor.Node(1);
        int slot = cursor.SlotOf(1);
        InnerNode.Counts(parent)[slot] = middle;
        InnerNode.Insert(parent, slot + 1, right, count - middle, _order.ShortenEntry(LeafNode.Entry(right, 0)), TOrder.Words);
        int at = cursor.Slot;
        if (at <= middle)
        {
            cursor.Set(0, left, at);
        }
        else
        {
            cursor.Set(1, parent, slot + 1);
            cursor.Set(0, right, at - middle);
        }
    }

    // Recomputes a leaf's tag range and tags from its entries.
    private void Retag(TreeNode* leaf)
    {
        if (TOrder.Leaf != LeafKind.Tagged)
            return;

        LeafNode.SetTagRange(leaf, _order.FirstWord(LeafNode.Entry(leaf, 0)), _order.FirstWord(LeafNode.Entry(leaf, leaf->Count - 1)));
        for (int i = 0; i < leaf->Count; i++)
            LeafNode.SetTag(leaf, i, _order.FirstWord(LeafNode.Entry(leaf, i)));
    }

    // Ensures that the path has a node at a level (not the leaf's) with a free slot for one more child.
    private void EnsureChildRoom(TreeHeader* tree, ref TreeCursor cursor, int level)
    {
        if (level == cursor.Levels)
        {
            TreeNode* root = InnerNode.Allocate(_heap, tree->Generation, level, 2, TOrder.Words);
            tree->Bytes += root->Capacity;
            InnerNode.Insert(root, 0, tree->Root, tree->Count, default, TOrder.Words);
            tree->Root = root;
            cursor.PushRoot(root);
            return;
        }

        TreeNode* node = cursor.Node(level);
        if (node->Count < node->Slots && node->Count < MaxChildren(tree))
            return;

        if (node->Count < MaxChildren(tree))
        {
            TreeNode* larger = InnerNode.Copy(
                _heap,
                node,
                tree->Generation,
                Math.Min(node->Count + (node->Count / 2) + 1, MaxChildren(tree)),
                TOrder.Words
            );
            tree->Bytes += larger->Capacity;
            SetNode(tree, ref cursor, level, larger);
            FreeMoved(tree, node);
            return;
        }

        SplitInner(tree, ref cursor, level);
    }

    private void SplitInner(TreeHeader* tree, ref TreeCursor cursor, int level)
    {
        EnsureChildRoom(tree, ref cursor, level + 1);
        TreeNode* node = cursor.Node(level);
        int slot = cursor.SlotOf(level);
        int count = node->Count;
        int middle = count / 2;
        if (slot == count - 1 && cursor.IsLastPath())
            middle = count - 1;
        else if (slot == 0 && cursor.IsFirstPath())
            middle = 1;

        TreeNode* right = InnerNode.Allocate(_heap, tree->Generation, level, Math.Min(count - middle + 1, MaxChildren(tree)), TOrder.Words);
        tree->Bytes += right->Capacity;
        TreeWords separator = InnerNode.Separator(node, middle, TOrder.Words);
        InnerNode.AppendRun(right, node, middle, count - middle, TOrder.Words);
        node->Count = (ushort)middle;
        TreeNode* parent = cursor.Node(level + 1);
        int above = cursor.SlotOf(level + 1);
        InnerNode.Counts(parent)[above] = InnerNode.Total(node);
        InnerNode.Insert(parent, above + 1, right, InnerNode.Total(right), separator, TOrder.Words);
        if (slot >= middle)
        {
            cursor.Set(level, right, slot - middle);
            cursor.Set(level + 1, parent, above + 1);
        }
    }

    private void RemoveLeaf(TreeHeader* tree, ref TreeCursor cursor)
    {
        long rank = cursor.Rank;
        FreeMoved(tree, cursor.Leaf);
        int level = 1;
        for (; level < cursor.Levels; level++)
        {
            TreeNode* node = cursor.Node(level);
            InnerNode.Remove(node, cursor.SlotOf(level), 1, TOrder.Words);
            if (node->Count != 0)
                break;

            FreeMoved(tree, node);
        }

        if (level == cursor.Levels)
            tree->Root = null;
        else
            MergeInner(tree, ref cursor, level);

        cursor.Seek(new TreeView(tree), rank);
    }

    // Merges the cursor's leaf with a sibling under the same parent if both fit into one node with some space left.
    private bool TryMergeLeaf(TreeHeader* tree, ref TreeCursor cursor)
    {
        TreeNode* parent = cursor.Node(1);
        int slot = cursor.SlotOf(1);
        if (parent->Count < 2)
            return false;

        int first = slot + 1 < parent->Count ? slot : slot - 1;
        TreeNode* left = InnerNode.Child(parent, first);
        TreeNode* right = InnerNode.Child(parent, first + 1);
        int entries = left->Count + right->Count;
        int bytes = LeafNode.DataBytes(left) + LeafNode.DataBytes(right);
        if (
            LeafNode.BytesFor(TOrder.Leaf, entries, bytes) > tree->NodeBytes / 4 * 3
            || (TOrder.Leaf == LeafKind.Tagged && entries > MaxTagged / 4 * 3)
        )
        {
            return false;
        }

        long rank = cursor.Rank;
        TreeNode* merged = NewLeaf(tree, entries, bytes, bytes / 16);
        Absorb(tree, merged, left);
        Absorb(tree, merged, right);
        Retag(merged);
        InnerNode.Children(parent)[first] = (nint)merged;
        InnerNode.Counts(parent)[first] = entries;
        InnerNode.Remove(parent, first + 1, 1, TOrder.Words);
        cursor.Set(0, merged, 0);
        MergeInner(tree, ref cursor, 1);
        cursor.Seek(new TreeView(tree), rank);
        return true;
    }

    private void Absorb(TreeHeader* tree, TreeNode* merged, TreeNode* leaf)
    {
        bool isShared = IsShared(tree, leaf);
        LeafNode.AppendRun(merged, leaf, 0, leaf->Count, isShared);
        if (isShared)
            Retire(tree, leaf);
        else
            FreeMoved(tree, leaf);
    }

    // A node of the path has lost a child: merges it with a sibling if it has become small, and so on upwards. The path is invalid
    // afterwards.
    private void MergeInner(TreeHeader* tree, ref TreeCursor cursor, int level)
    {
        int most = MaxChildren(tree);
        for (; level + 1 < cursor.Levels && cursor.Node(level)->Count * 4 < most; level++)
        {
            TreeNode* parent = cursor.Node(level + 1);
            int slot = cursor.SlotOf(level + 1);
            if (parent->Count < 2)
                continue;

            int first = slot + 1 < parent->Count ? slot : slot - 1;
            TreeNode* left = InnerNode.Child(parent, first);
            TreeNode* right = InnerNode.Child(parent, first + 1);
            int children = left->Count + right->Count;
            if (children > most / 4 * 3)
                break;

            TreeNode* merged = InnerNode.Allocate(_heap, tree->Generation, level, Math.Min(most, children + 1), TOrder.Words);
            tree->Bytes += merged->Capacity;
            InnerNode.AppendRun(merged, left, 0, left->Count, TOrder.Words);
            InnerNode.AppendRun(merged, right, 0, right->Count, TOrder.Words);
            InnerNode.SetSeparator(merged, left->Count, InnerNode.Separator(parent, first + 1, TOrder.Words), TOrder.Words);
            InnerNode.Children(parent)[first] = (nint)merged;
            InnerNode.Counts(parent)[first] += InnerNode.Counts(parent)[first + 1];
            InnerNode.Remove(parent, first + 1, 1, TOrder.Words);
            Retire(tree, left);
            Retire(tree, right);
        }

        Collapse(tree);
    }

    // Replaces a root with a single child by that child.
    private void Collapse(TreeHeader* tree)
    {
        while (tree->Root != null && tree->Root->Level > 0 && tree->Root->Count == 1)
        {
            TreeNode* root = tree->Root;
            tree->Root = InnerNode.Child(root, 0);
            Retire(tree, root);
        }
    }

    private void DropSubtree(TreeHeader* tree, TreeNode* node, ref TreeSnapshot* carrier)
    {
        if (carrier == null)
            carrier = trees.Carrier(tree);

        TreeReclaimer.Push(ref carrier->Retired, node, isDeep: true);
    }

    // What remains of a node after a range of its indexes is cut out; null when nothing does.
    private TreeNode* CutNode(TreeHeader* tree, TreeNode* node, long from, long to, ref TreeSnapshot* carrier)
    {
        if (IsShared(tree, node))
            node = CopyNode(tree, node);

        if (node->Level == 0)
        {
            Debug.Assert(to - from < node->Count, "Cutting must not empty the leaf.");
            LeafNode.ReleaseOutside(trees.Overflow, node, (int)from, (int)(to - from));
            LeafNode.Remove(node, (int)from, (int)(to - from));
            return node;
        }

        long* counts = InnerNode.Counts(node);
        long begin = 0;
        int firstWhole = -1;
        int whole = 0;
        for (int i = 0; i < node->Count; i++)
        {
            long size = counts[i];
            long low = Math.Max(from, begin) - begin;
            long high = Math.Min(to, begin + size) - begin;
            begin += size;
            if (low >= high)
                continue;

            if (high - low == size)
            {
                firstWhole = whole++ == 0 ? i : firstWhole;
                DropSubtree(tree, InnerNode.Child(node, i), ref carrier);
                continue;
            }

            InnerNode.Children(node)[i] = (nint)CutNode(tree, InnerNode.Child(node, i), low, high, ref carrier);
            counts[i] = size - (high - low);
        }

        if (whole != 0)
            InnerNode.Remove(node, firstWhole, whole, TOrder.Words);

        return node;
    }
}
