// A path from the root of a tree to an entry, or to a position between entries. Lives on one thread's stack; invalid after changes made
// without it.
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// The nodes and positions of a path. Nodes have no links to siblings, so that copying a node affects only its parent. In an empty tree the
/// path has no nodes. Levels count from the leaf, which is level 0.
/// </summary>
internal unsafe struct TreeCursor
{
    /// <summary>
    /// Maximum number of levels: inner nodes are split when full and merged when a quarter full, so this is far more than memory can hold.
    /// </summary>
    public const int MaxLevels = 20;

    private fixed long _nodes[MaxLevels];
    private fixed ushort _slots[MaxLevels];

    // Offset of the entry in a coded leaf once it has been located, otherwise 0. Speeds up walking from entry to entry.
    private int _offset;

    /// <summary>Number of levels of the path; 0 in an empty tree.</summary>
    public int Levels { readonly get; private set; }

    /// <summary>The leaf; the tree must not be empty.</summary>
    public readonly TreeNode* Leaf
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (TreeNode*)_nodes[0];
    }

    /// <summary>The position in the leaf, possibly after its last entry.</summary>
    public int Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        readonly get => _slots[0];
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        set
        {
            _slots[0] = (ushort)value;
            _offset = 0;
        }
    }

    /// <summary>True when there is no entry at or after the cursor.</summary>
    public readonly bool IsEnd
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Levels == 0 || (_slots[0] >= Leaf->Count && IsLastPath());
    }

    /// <summary>The bytes of the entry at the cursor, which must not be at the end.</summary>
    public ReadOnlySpan<byte> Entry
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if (_slots[0] >= Leaf->Count)
                Settle();

            return Leaf->IsCoded ? CodedEntry() : LeafNode.Entry(Leaf, _slots[0]);
        }
    }

    /// <summary>Number of entries before the cursor.</summary>
    public readonly long Rank
    {
        get
        {
            long rank = Levels == 0 ? 0 : _slots[0];
            for (int level = 1; level < Levels; level++)
                rank += InnerNode.Before(Node(level), _slots[level]);

            return rank;
        }
    }

    /// <summary>The node at a level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly TreeNode* Node(int level) => (TreeNode*)_nodes[level];

    /// <summary>The position in the node at a level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int SlotOf(int level) => _slots[level];

    /// <summary>Sets the node and position at a level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Set(int level, TreeNode* node, int slot)
    {
        _offset = 0;
        _nodes[level] = (long)node;
        _slots[level] = (ushort)slot;
    }

    /// <summary>Sets the number of levels; the caller sets each of them.</summary>
    public void Begin(TreeNode* root)
    {
        Levels = root == null ? 0 : root->Level + 1;
        Debug.Assert(Levels <= MaxLevels, "Tree depth exceeds the maximum.");
    }

    /// <summary>Adds a root above the path.</summary>
    public void PushRoot(TreeNode* root)
    {
        if (Levels == MaxLevels)
            throw new InvalidOperationException("Tree depth exceeds the maximum.");

        Set(Levels++, root, 0);
    }

    /// <summary>Moves to the entry at an index; the tree's count moves to the end.</summary>
    public void Seek(TreeView view, long index)
    {
        Debug.Assert(index >= 0 && index <= view.Count, "Index out of range.");
        TreeNode* node = view.Root;
        Begin(node);
        if (node == null)
            return;

        // Appending is frequent, and the last child needs no search.
        bool isEnd = index == view.Count;
        for (int level = Levels - 1; level > 0; level--)
        {
            int child = isEnd ? node->Count - 1 : InnerNode.FindIndex(node, ref index);
            Set(level, node, child);
            node = InnerNode.Child(node, child);
            if (level == 1)
                LeafNode.Prefetch(node);
        }

        Set(0, node, isEnd ? node->Count : (int)index);
    }

    /// <summary>Moves to the next entry; false, with the cursor at the end, when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MoveNext()
    {
        if (Levels == 0)
            return false;

        if (_slots[0] + 1 < Leaf->Count)
        {
            _slots[0]++;
            if (_offset != 0)
                _offset = CodedLeaf.Next(Leaf, _offset);

            return true;
        }

        return MoveToNextLeaf();
    }

    /// <summary>Moves to the previous entry; false, with the cursor unchanged, when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MovePrevious()
    {
        if (Levels == 0)
            return false;

        if (_slots[0] > 0)
        {
            _slots[0]--;
            _offset = 0;
            return true;
        }

        return MoveToPreviousLeaf();
    }

    /// <summary>Moves from after the last entry of a leaf to the first of the next leaf, if there is one.</summary>
    public void Settle()
    {
        if (Levels != 0 && _slots[0] >= Leaf->Count && !IsLastPath())
            MoveToNextLeaf();
    }

    /// <summary>True when the path goes through the last child at every level.</summary>
    public readonly bool IsLastPath()
    {
        for (int level = 1; level < Levels; level++)
        {
            if (_slots[level] + 1 < Node(level)->Count)
                return false;
        }

        return true;
    }

    /// <summary>True when the path goes through the first child at every level.</summary>
    public readonly bool IsFirstPath()
    {
        for (int level = 1; level < Levels; level++)
        {
            if (_slots[level] != 0)
                return false;
        }

        return true;
    }

    /// <summary>
    /// The lowest level where the path does not go through the first child; the number of levels when there is none. The separator there is
    /// the leaf's lower bound.
    /// </summary>
    public readonly int LevelBefore()
    {
        int level = 1;
        while (level < Levels && _slots[level] == 0)
            level++;

        return level;
    }

    /// <summary>
    /// The lowest level where the path does not go through the last child; the number of levels when there is none. The next separator
    /// there is the leaf's upper bound.
    /// </summary>
    public readonly int LevelBehind()
    {
        int level = 1;
        while (level < Levels && _slots[level] + 1 >= Node(level)->Count)
            level++;

        return level;
    }

    /// <summary>Moves to after the last entry of the previous leaf, which must exist.</summary>
    public void MoveToEndOfPreviousLeaf()
    {
        if (MoveToPreviousLeaf())
            _slots[0]++;
    }

    /// <summary>
    /// The codes of up to <paramref name="most"/> contiguous entries starting at the cursor; moves the cursor to the last of them. For
    /// coded leaves, and not at the end.
    /// </summary>
    public ReadOnlySpan<byte> MoveOverCodes(int most, out int entries)
    {
        Settle();
        TreeNode* leaf = Leaf;
        if ((leaf->Flags & TreeNode.HasOutside) != 0)
        {
            entries = 1;
            return CodedEntry();
        }

        int first = Slot;
        entries = Math.Min(most, leaf->Count - first);
        int start = CodedLeaf.Locate(leaf, first);
        int end = CodedLeaf.Locate(leaf, first + entries);
        Slot = first + entries - 1;
        return new ReadOnlySpan<byte>((byte*)leaf + start, end - start);
    }

    /// <summary>Call when the leaf's entries have changed: the offset of the cursor's entry must be located again.</summary>
    public void Invalidate() => _offset = 0;

    private ReadOnlySpan<byte> CodedEntry()
    {
        if (_offset == 0)
            _offset = CodedLeaf.Locate(Leaf, _slots[0]);

        return CodedLeaf.EntryAt(Leaf, _offset);
    }

    private bool MoveToNextLeaf()
    {
        _offset = 0;
        int level = LevelBehind();
        if (level == Levels)
        {
            _slots[0] = Leaf->Count;
            return false;
        }

        _slots[level]++;
        TreeNode* node = InnerNode.Child(Node(level), _slots[level]);
        while (--level > 0)
        {
            Set(level, node, 0);
            node = InnerNode.Child(node, 0);
        }

        Set(0, node, 0);
        return true;
    }

    private bool MoveToPreviousLeaf()
    {
        int level = LevelBefore();
        if (level == Levels)
            return false;

        _slots[level]--;
        TreeNode* node = InnerNode.Child(Node(level), _slots[level]);
        while (--level > 0)
        {
            Set(level, node, node->Count - 1);
            node = InnerNode.Child(node, node->Count - 1);
        }

        Set(0, node, node->Count - 1);
        return true;
    }
}
