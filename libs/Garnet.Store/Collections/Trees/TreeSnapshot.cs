// An unchanging picture of a tree, in native memory. Read by any thread that holds a reference, without latches.
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// A frozen tree: the root as it was. Nodes that the live tree replaced since and that this picture still reaches are on its retired list,
/// unless a newer picture reaches them too; when it is reclaimed they pass to the next older picture that reaches them, or are freed. The
/// same struct carries the nodes of a dropped tree to the reclaimer.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct TreeSnapshot
{
    /// <summary>The root; null when the tree was empty.</summary>
    public TreeNode* Root;

    /// <summary>Number of entries.</summary>
    public long Count;

    /// <summary>The caller's facts as they were.</summary>
    public long User0;

    /// <inheritdoc cref="User0"/>
    public long User1;

    /// <inheritdoc cref="User0"/>
    public long User2;

    /// <inheritdoc cref="User0"/>
    public long User3;

    /// <summary>The nodes of a list as they were, for a picture that is to be saved; null else. They go with the picture.</summary>
    public ListNodeRing* ListNodes;

    /// <summary>It reaches nodes born up to this generation.</summary>
    public long Generation;

    /// <summary>Dead nodes (see <see cref="TreeNode.Link"/>); under the tree's latch until it is reclaimed.</summary>
    public nint Retired;

    /// <summary>The tree it is a picture of, which may have been dropped.</summary>
    public TreeHeader* Tree;

    /// <summary>Neighbours in time; under the tree's latch.</summary>
    public TreeSnapshot* Older;

    /// <inheritdoc cref="Older"/>
    public TreeSnapshot* Newer;

    /// <summary>The next in the reclaimer's queue.</summary>
    public TreeSnapshot* NextDue;

    /// <summary>Readers; under the tree's latch.</summary>
    public int References;

    /// <summary>True once the reclaimer has taken it out of the tree's list, or for dropped nodes, which never were in it.</summary>
    public bool IsDetached;
}
