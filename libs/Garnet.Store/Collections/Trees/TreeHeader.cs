// The header of one live tree, in native memory: its root, its count, its frozen snapshots. Used under the key's latch, except for what
// SpinLatch guards.
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections.Trees;

/// <summary>A live tree. A record's value stores its address, which never changes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct TreeHeader
{
    /// <summary>The root; null while the tree is empty.</summary>
    public TreeNode* Root;

    /// <summary>Number of entries.</summary>
    public long Count;

    /// <summary>Native memory of the live tree; an estimate after ranges were removed.</summary>
    public long Bytes;

    /// <summary>User fields for the collection type; frozen along with the tree.</summary>
    public long User0;

    /// <inheritdoc cref="User0"/>
    public long User1;

    /// <inheritdoc cref="User0"/>
    public long User2;

    /// <inheritdoc cref="User0"/>
    public long User3;

    /// <summary>The birth generation of new nodes; incremented by each freeze.</summary>
    public long Generation;

    /// <summary>
    /// Nodes born up to this generation may be reachable from a frozen tree and must not be changed; -1 when there is none. Lowered by the
    /// reclaimer, under <see cref="Latch"/>.
    /// </summary>
    public long SharedThrough;

    /// <summary>The newest frozen tree that has not been reclaimed; guarded by <see cref="Latch"/>.</summary>
    public TreeSnapshot* Newest;

    /// <summary>
    /// References to this header by the live tree itself, frozen trees and work of the reclaimer; guarded by <see cref="Latch"/>.
    /// </summary>
    public int References;

    /// <summary>A spin latch (<see cref="SpinLatch"/>), held for a few instructions.</summary>
    public int Latch;

    /// <summary>Size of the largest node.</summary>
    public int NodeBytes;

    /// <summary>True when the tree has changed since it was last frozen.</summary>
    public bool IsChanged;

    /// <summary>True when <see cref="User1"/> is the address of a list's nodes (<see cref="ListNodeHeap"/>), which are freed with the
    /// tree.</summary>
    public bool HasListNodes;

    /// <summary>Entries longer than this are stored externally.</summary>
    public readonly int MaxInside => NodeBytes / 4;
}
