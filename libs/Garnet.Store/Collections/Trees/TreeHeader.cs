// The head of one live tree, in native memory: its root, its count, its frozen pictures. Under the key's latch, but for what SpinLatch
// guards.
using System.Runtime.InteropServices;
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections.Trees;

/// <summary>A live tree. A record's value keeps the address, which never changes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct TreeHeader
{
    /// <summary>The root; null while the tree is empty.</summary>
    public TreeNode* Root;

    /// <summary>Number of entries.</summary>
    public long Count;

    /// <summary>Native bytes of the live tree; an estimate after ranges were removed.</summary>
    public long Bytes;

    /// <summary>The caller's own facts about the tree; frozen along with it.</summary>
    public long User0;

    /// <inheritdoc cref="User0"/>
    public long User1;

    /// <inheritdoc cref="User0"/>
    public long User2;

    /// <inheritdoc cref="User0"/>
    public long User3;

    /// <summary>What nodes made now are born in; moves with each freeze.</summary>
    public long Generation;

    /// <summary>
    /// Nodes born up to here may be reached by a frozen tree and are not changed; -1 when there is none. Lowered by the reclaimer, under
    /// <see cref="Latch"/>.
    /// </summary>
    public long SharedThrough;

    /// <summary>The newest frozen tree not yet reclaimed; under <see cref="Latch"/>.</summary>
    public TreeSnapshot* Newest;

    /// <summary>
    /// The live tree itself, frozen trees and work of the reclaimer that refer to this header; under <see cref="Latch"/>.
    /// </summary>
    public int References;

    /// <summary>A spin latch (<see cref="SpinLatch"/>), held for a few instructions.</summary>
    public int Latch;

    /// <summary>Bytes of the largest node.</summary>
    public int NodeBytes;

    /// <summary>True when the tree was changed since it was last frozen.</summary>
    public bool IsChanged;

    /// <summary>True when the second fact is the address of a list's nodes (<see cref="ListNodeHeap"/>), which go with the tree.</summary>
    public bool HasListNodes;

    /// <summary>Entries longer than this lie outside of their leaf.</summary>
    public readonly int MaxInside => NodeBytes / 4;
}
