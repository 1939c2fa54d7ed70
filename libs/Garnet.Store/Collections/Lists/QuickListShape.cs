// The layout that a list would have in Valkey's memory, for DEBUG OBJECT only. Immutable.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>The nodes of a Valkey quicklist with the same history, and the settings that divided it.</summary>
internal readonly struct QuickListShape
{
    internal unsafe QuickListShape(TreeHeader* tree, CollectionLimits limits)
        : this(ListNode.Packed(tree->Count, tree->User0), limits.ListSetting, limits.IsListCompressed)
    {
        ListNodeRing* ring = ListNodeHeap.RingOf(tree);
        if (ring == null)
            return;

        Nodes = ring->Count;
        Setting = ring->Setting;
        IsCompressed = ring->IsCompressed;
        for (int i = 0; i < ring->Count; i++)
            Bytes += ListNodeRing.At(ring, i).Bytes;
    }

    // For a list that would be one node.
    internal QuickListShape(ListNode node, int setting, bool isCompressed)
    {
        Nodes = 1;
        Bytes = node.Bytes;
        Setting = setting;
        IsCompressed = isCompressed;
    }

    /// <summary>Number of nodes.</summary>
    public long Nodes { get; }

    /// <summary>Total size of all nodes in bytes.</summary>
    public long Bytes { get; }

    /// <summary><c>list-max-listpack-size</c> in force when the list was split into nodes.</summary>
    public int Setting { get; }

    /// <summary>Whether <c>list-compress-depth</c> asked for compressed nodes at that time.</summary>
    public bool IsCompressed { get; }
}
