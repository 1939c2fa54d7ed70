// An immutable snapshot of a tree, in native memory. Read without latches by any thread that holds a reference.
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// A frozen tree: the root at the time it was taken. Nodes that the live tree has since replaced and that this snapshot still reaches are
/// on its retired list, unless a newer snapshot reaches them too; when it is reclaimed they are passed on to the next older snapshot that
/// reaches them, or freed. The same struct carries the nodes of a dropped tree to the reclaimer.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct TreeSnapshot
{
    /// <summary>The root; null when the tree was empty.</summary>
    public TreeNode* Root;

    /// <summary>Number of entries.</summary>
    public long Count;

    /// <summary>The user fields at the time of the snapshot.</summary>
    public long User0;

    /// <inheritdoc cref="User0"/>
    public long User1;

    /// <inheritdoc cref="User0"/>
    public long User2;

    /// <inheritdoc cref="User0"/>
    public long User3;

    /// <summary>A copy of a list's nodes, for a snapshot that will be saved; otherwise null. Freed with the snapshot.</summary>
    public ListNodeRing* ListNodes;

    /// <summary>The snapshot reaches nodes born up to this generation.</summary>
    public long Generation;

    /// <summary>Dead nodes (see <see cref="TreeNode.Link"/>); guarded by the tree's latch until it is reclaimed.</summary>
    public nint Retired;

    /// <summary>The tree that was frozen; it may have been dropped since.</summary>
    public TreeHeader* Tree;

    /// <summary>The next older and newer snapshots; guarded by the tree's latch.</summary>
    public TreeSnapshot* Older;

    /// <inheritdoc cref="Older"/>
    public TreeSnapshot* Newer;

    /// <summary>The next one in the reclaimer's queue.</summary>
    public TreeSnapshot* NextDue;

    /// <summary>Number of readers; guarded by the tree's latch.</summary>
    public int References;

    /// <summary>True once the reclaimer has removed it from the tree's list, or for dropped nodes, which were never in it.</summary>
    public bool IsDetached;
}
