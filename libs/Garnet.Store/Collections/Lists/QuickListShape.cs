// How Valkey would have a list in memory: for DEBUG OBJECT alone. Immutable.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>Nodes of Valkey's quicklist with the same past, and what it was cut by.</summary>
public readonly struct QuickListShape
{
    internal unsafe QuickListShape(TreeHeader* tree, CollectionLimits limits)
        : this(ListNode.Packed(tree->Count, tree->User0), limits.ListSetting, limits.IsListCompressed)
    {
        ListNodeRing* ring = ListNodeHeap.RingOf(tree);
        if (ring == null)
        {
            return;
        }

        Nodes = ring->Count;
        Setting = ring->Setting;
        IsCompressed = ring->IsCompressed;
        for (int i = 0; i < ring->Count; i++)
        {
            Bytes += ListNodeRing.At(ring, i).Bytes;
        }
    }

    // Of a list that would be one node.
    internal QuickListShape(ListNode node, int setting, bool isCompressed)
    {
        Nodes = 1;
        Bytes = node.Bytes;
        Setting = setting;
        IsCompressed = isCompressed;
    }

    /// <summary>Nodes.</summary>
    public long Nodes { get; }

    /// <summary>Bytes of all nodes together.</summary>
    public long Bytes { get; }

    /// <summary><c>list-max-listpack-size</c> as it was when the list became one of nodes.</summary>
    public int Setting { get; }

    /// <summary>Whether <c>list-compress-depth</c> asked for compressed nodes then.</summary>
    public bool IsCompressed { get; }
}
