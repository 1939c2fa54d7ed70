// The leaf where the last search of a tree ended. Lives on one thread's stack; invalid after the next change of the tree.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>A leaf, and the first words between which (both excluded) a key can only be in this leaf.</summary>
internal readonly unsafe struct LeafFinger(TreeNode* leaf, ulong above, ulong below)
{
    private readonly ulong _above = above;
    private readonly ulong _below = below;

    /// <summary>The leaf; null before the first search.</summary>
    public TreeNode* Leaf { get; } = leaf;

    /// <summary>Whether a key with a first word can only be in this leaf; one that equals a separator may be beside it too.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Covers(ulong firstWord) => firstWord > _above && firstWord < _below;
}
