// Searches and changes of trees with one order. Stateless: live trees are used under their key's latch, frozen ones by any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// The operations of a counted B+tree whose entries are bytes in native nodes. All take time logarithmic in the tree's count and make no
/// managed allocations. Entries passed to changes must not be stored in the same tree.
/// </summary>
internal sealed unsafe class CountedTree<TOrder>
    where TOrder : struct, ITreeOrder
{
    private const int OutsideForm = 9;
    private readonly TOrder _order;
    private readonly TreeStore _trees;
    private readonly TreeShape<TOrder> _shape;

    public CountedTree(TreeStore trees, TOrder order)
    {
        _trees = trees;
        _order = order;
        _shape = new TreeShape<TOrder>(trees, order);
    }

    /// <summary>The order, which creates keys.</summary>
    public ref readonly TOrder Order => ref _order;

    /// <summary>
    /// Moves to the entry of a key: true, or false with the cursor at the insertion point (the entry there, if any, is the first greater
    /// one).
    /// </summary>
    [SkipLocalsInit]
    public bool Find(TreeView view, in TreeKey key, ref TreeCursor cursor)
    {
        TreeNode* node = view.Root;
        cursor.Begin(node);
        if (node == null)
            return false;

        TreeWords words = _order.Shorten(key);
        for (int level = node->Level; level > 0; level--)
        {
            int child = FindChild(node, key, words);
            cursor.Set(level, node, child);
            node = InnerNode.Child(node, child);
            if (level == 1)
                LeafNode.Prefetch(node);
        }

        int slot = FindInLeaf(node, key, words, out bool isFound);
        cursor.Set(0, node, slot);
        return isFound;
    }

    /// <summary>
    /// The leaf of a key and the slot of its entry, or of the first greater one, which may be behind the leaf's last. Searches from the
    /// root only if the key does not belong to the finger's leaf, so keys in roughly ascending order are found quickly. Null if the tree
    /// is empty. For orders that have words, while the tree does not change.
    /// </summary>
    public TreeNode* FindNear(TreeView view, scoped in TreeKey key, scoped ref LeafFinger finger, out int slot, out bool isFound)
    {
        TreeWords words = _order.Shorten(key);
        if (!finger.Covers(words.First) && !TryMoveFinger(view.Root, key, words, ref finger))
        {
            slot = 0;
            isFound = false;
            return null;
        }

        slot = FindInLeaf(finger.Leaf, key, words, out isFound);
        return finger.Leaf;
    }

    /// <summary>The leaf of a key alone, on its way to the processor's cache; null if the tree is empty.</summary>
    public TreeNode* FindLeafNear(TreeView view, scoped in TreeKey key, scoped ref LeafFinger finger)
    {
        TreeWords words = _order.Shorten(key);
        return finger.Covers(words.First) || TryMoveFinger(view.Root, key, words, ref finger) ? finger.Leaf : null;
    }

    /// <summary>The entry of a key, without a path; the bytes are invalid after the next change of the tree.</summary>
    public bool TryGet(TreeView view, scoped in TreeKey key, out ReadOnlySpan<byte> entry)
    {
        TreeNode* node = view.Root;
        entry = default;
        if (node == null)
            return false;

        TreeWords words = _order.Shorten(key);
        while (node->Level > 0)
        {
            TreeNode* child = InnerNode.Child(node, FindChild(node, key, words));
            if (node->Level == 1)
                LeafNode.Prefetch(child);

            node = child;
        }

        int slot = FindInLeaf(node, key, words, out bool isFound);
        if (isFound)
            entry = LeafNode.Entry(node, slot);

        return isFound;
    }

    /// <summary>
    /// Inserts an entry before the cursor, which was positioned by <see cref="Find"/> with the entry's key (or, in lists, at the desired
    /// position); the cursor then points to the new entry.
    /// </summary>
    public void Insert(TreeHeader* tree, ref TreeCursor cursor, ReadOnlySpan<byte> entry)
    {
        if (tree->Root == null)
            _shape.Plant(tree, ref cursor);
        else if (TOrder.Words > 0)
            KeepWithinSeparators(ref cursor, entry);

        _shape.Own(tree, ref cursor);
        bool isOutside = entry.Length > tree->MaxInside;
        byte* form = stackalloc byte[OutsideForm];
        ReadOnlySpan<byte> stored = isOutside ? PutOutside(tree, entry, form) : entry;
        if (!LeafNode.HasSpace(cursor.Leaf, stored.Length))
        {
            _shape.MakeRoom(tree, ref cursor, stored.Length, entry);
            if (!LeafNode.HasSpace(cursor.Leaf, stored.Length))
                Environment.FailFast("No space in a tree's leaf although it was just made larger.");
        }

        LeafNode.Insert(cursor.Leaf, cursor.Slot, stored, isOutside, TOrder.Leaf == LeafKind.Tagged ? _order.FirstWord(entry) : 0);
        cursor.Invalidate();
        Count(tree, ref cursor, 1);
    }

    /// <summary>Replaces the bytes of the entry at the cursor, keeping its key; in place when they fit.</summary>
    public void Replace(TreeHeader* tree, ref TreeCursor cursor, ReadOnlySpan<byte> entry)
    {
        cursor.Settle();
        _shape.Own(tree, ref cursor);
        TreeNode* leaf = cursor.Leaf;
        int slot = cursor.Slot;
        bool isOutside = entry.Length > tree->MaxInside;
        int bytes = LeafNode.StoredBytes(leaf, slot);
        int needed = isOutside ? OutsideForm : entry.Length;
        if (needed > leaf->Capacity - leaf->End + bytes)
        {
            if (!_shape.TryGrow(tree, ref cursor, 0, needed - bytes))
            {
                // Rare: remove and insert at the known position.
                Remove(tree, ref cursor);
                Insert(tree, ref cursor, entry);
                return;
            }

            leaf = cursor.Leaf;
        }

        byte* form = stackalloc byte[OutsideForm];
        ReadOnlySpan<byte> stored = isOutside ? PutOutside(tree, entry, form) : entry;
        ReleaseExternal(tree, leaf, slot);
        int before = leaf->End;
        LeafNode.Replace(leaf, slot, stored, isOutside);
        cursor.Invalidate();
        if (leaf->End < before)
            _shape.Tidy(tree, ref cursor);
    }

    /// <summary>
    /// Extends the entry at the cursor in place, for the caller to write the new bytes; false, with nothing changed, where
    /// <see cref="Replace"/> is needed.
    /// </summary>
    public bool TryExtend(TreeHeader* tree, scoped ref TreeCursor cursor, int length, out Span<byte> entry)
    {
        entry = default;
        cursor.Settle();
        if (!LeafNode.IsOutside(cursor.Leaf, cursor.Slot))
            return TryExtendInside(tree, ref cursor, length, out entry);

        // Own the leaf first: if it is copied, the copy adds a reference to the entry.
        _shape.Own(tree, ref cursor);
        OverflowEntry* outside = LeafNode.Outside(cursor.Leaf, cursor.Slot);
        if (!OverflowEntries.TryExtend(outside, length))
            return false;

        entry = new Span<byte>((byte*)outside + OverflowEntry.HeaderBytes, length);
        return true;
    }

    /// <summary>Removes the entry at the cursor, which then points to the next one, or to the end.</summary>
    public void Remove(TreeHeader* tree, ref TreeCursor cursor)
    {
        cursor.Settle();
        _shape.Own(tree, ref cursor);
        ReleaseExternal(tree, cursor.Leaf, cursor.Slot);
        LeafNode.Remove(cursor.Leaf, cursor.Slot, 1);
        cursor.Invalidate();
        Count(tree, ref cursor, -1);
        _shape.Tidy(tree, ref cursor);
    }

    /// <summary>Removes entries starting at an index; whole subtrees are unlinked at once and freed later.</summary>
    public void RemoveRange(TreeHeader* tree, long first, long count)
    {
        if (count <= 0)
            return;

        _shape.Cut(tree, first, first + count);

        // The nodes beside the removed range may have become small.
        _shape.TidyPath(tree, Math.Min(first, tree->Count));
        _shape.TidyPath(tree, Math.Max(0, first - 1));
    }

    /// <summary>
    /// Copies a live tree into an empty one, node by node. External entries are shared: one referred to by two leaves is never changed.
    /// </summary>
    public void Copy(TreeHeader* source, TreeHeader* target)
    {
        if (source->Root != null)
        {
            target->Root = _shape.CopySubtree(target, source->Root);
            target->Count = source->Count;
        }
    }

    private bool TryMoveFinger(TreeNode* node, in TreeKey key, in TreeWords words, ref LeafFinger finger)
    {
        if (node == null)
            return false;

        ulong above = 0;
        ulong below = ulong.MaxValue;
        while (node->Level > 0)
        {
            int index = FindChild(node, key, words);
            ulong* separators = InnerNode.Words(node, 0);
            above = index > 0 ? separators[index] : above;
            below = index + 1 < node->Count ? separators[index + 1] : below;
            TreeNode* child = InnerNode.Child(node, index);
            if (node->Level == 1)
                LeafNode.Prefetch(child);

            node = child;
        }

        finger = new LeafFinger(node, above, below);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Count(TreeHeader* tree, ref TreeCursor cursor, int difference)
    {
        tree->Count += difference;
        for (int level = cursor.Levels - 1; level > 0; level--)
            InnerNode.Counts(cursor.Node(level))[cursor.SlotOf(level)] += difference;
    }

    private bool TryExtendInside(TreeHeader* tree, scoped ref TreeCursor cursor, int length, out Span<byte> entry)
    {
        int more = length - LeafNode.StoredBytes(cursor.Leaf, cursor.Slot);
        if (TOrder.Leaf == LeafKind.Coded || length > tree->MaxInside || cursor.Leaf->End + more > cursor.Leaf->Capacity)
        {
            entry = default;
            return false;
        }

        // A copied leaf has the same capacity.
        _shape.Own(tree, ref cursor);
        entry = LeafNode.Extend(cursor.Leaf, cursor.Slot, more);
        return true;
    }

    // Copies an entry to external memory; the leaf stores the tag that coded leaves need and the address.
    private ReadOnlySpan<byte> PutOutside(TreeHeader* tree, ReadOnlySpan<byte> entry, byte* form)
    {
        form[0] = CodedLeaf.OutsideTag;
        Unsafe.WriteUnaligned(form + 1, (nint)_trees.Overflow.Add(entry));
        tree->Bytes += OverflowEntries.Footprint(entry.Length);
        return TOrder.Leaf == LeafKind.Coded ? new ReadOnlySpan<byte>(form, OutsideForm) : new ReadOnlySpan<byte>(form + 1, sizeof(nint));
    }

    private void ReleaseExternal(TreeHeader* tree, TreeNode* leaf, int slot)
    {
        if (LeafNode.IsOutside(leaf, slot))
        {
            tree->Bytes -= OverflowEntries.Footprint(LeafNode.Entry(leaf, slot).Length);
            _trees.Overflow.Release(LeafNode.Outside(leaf, slot));
        }
    }

    // A cursor between two leaves may be on the side that the separator does not assign the entry to.
    private void KeepWithinSeparators(ref TreeCursor cursor, ReadOnlySpan<byte> entry)
    {
        if (cursor.Slot == 0)
        {
            int level = cursor.LevelBefore();
            if (level < cursor.Levels && CompareToSeparator(entry, cursor.Node(level), cursor.SlotOf(level)) < 0)
                cursor.MoveToEndOfPreviousLeaf();
        }
        else if (cursor.Slot >= cursor.Leaf->Count)
        {
            int level = cursor.LevelBehind();
            if (level < cursor.Levels && CompareToSeparator(entry, cursor.Node(level), cursor.SlotOf(level) + 1) > 0)
                cursor.Settle();
        }
    }

    private int CompareToSeparator(ReadOnlySpan<byte> entry, TreeNode* node, int slot) =>
        _order.ShortenEntry(entry).CompareTo(InnerNode.Separator(node, slot, TOrder.Words), TOrder.Words);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FindChild(TreeNode* node, in TreeKey key, in TreeWords words)
    {
        int child = InnerNode.FindWords(node, words, TOrder.Words, out int behind);
        return child == behind || TOrder.IsExact ? behind : FindAmongEqual(node, key, child, behind);
    }

    // Among children whose separators' words equal the key's, their first entries decide.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int FindAmongEqual(TreeNode* node, in TreeKey key, int low, int high)
    {
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            TreeNode* first = InnerNode.Child(node, middle);
            while (first->Level > 0)
                first = InnerNode.Child(first, 0);

            if (_order.Compare(key, LeafNode.Entry(first, 0)) >= 0)
                low = middle;
            else
                high = middle - 1;
        }

        return low;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int FindInLeaf(TreeNode* leaf, in TreeKey key, in TreeWords words, out bool isFound)
    {
        int low = 0;
        int high = leaf->Count;
        if (TOrder.Leaf == LeafKind.Tagged)
        {
            low = LeafNode.FindTag(leaf, LeafNode.TagOf(leaf, words.First), out high);
            for (; low < high; low++)
            {
                int order = _order.Compare(key, LeafNode.Entry(leaf, low));
                if (order <= 0)
                {
                    isFound = order == 0;
                    return low;
                }
            }

            isFound = false;
            return low;
        }

        while (low < high)
        {
            int middle = (low + high) >> 1;
            int order = _order.Compare(key, LeafNode.Entry(leaf, middle));
            if (order == 0)
            {
                isFound = true;
                return middle;
            }

            if (order > 0)
                low = middle + 1;
            else
                high = middle;
        }

        isFound = false;
        return low;
    }
}
