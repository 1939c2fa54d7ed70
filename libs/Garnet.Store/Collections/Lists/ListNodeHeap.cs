// Native memory for the nodes that lists are cut into. Thread-safe; a tree's own ring is used under the latch of its key.
using System.Numerics;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Lists;

/// <summary>Allocates rings. A ring belongs to a list's tree, whose second fact is its address, and counts as its memory.</summary>
internal sealed unsafe class ListNodeHeap(NodeOrBlockHeap heap)
{
    private const int FewestNodes = 4;

    // A ring becomes smaller when it is used to an eighth, so that it does not grow and shrink in turn.
    private const int SpareFactor = 8;

    /// <summary>The ring of a list's tree, null when it has none.</summary>
    public static ListNodeRing* RingOf(TreeHeader* tree) => tree->HasListNodes ? (ListNodeRing*)(nint)tree->User1 : null;

    /// <summary>Gives a tree an empty ring.</summary>
    public ListNodeRing* Create(TreeHeader* tree, short setting, bool isCompressed)
    {
        ListNodeRing* ring = Allocate(FewestNodes);
        ring->Setting = setting;
        ring->IsCompressed = isCompressed;
        Attach(tree, ring);
        return ring;
    }

    /// <summary>Gives a tree a copy of another's ring.</summary>
    public void Copy(ListNodeRing* ring, TreeHeader* target) => Attach(target, Copy(ring));

    /// <summary>A copy of a ring that no tree owns, to be ended by <see cref="Free"/>.</summary>
    public ListNodeRing* Copy(ListNodeRing* ring)
    {
        ListNodeRing* copy = Allocate(CapacityFor(ring->Count));
        ListNodeRing.CopyTo(ring, copy);
        return copy;
    }

    /// <summary>Takes a tree's ring from it and frees it.</summary>
    public void Drop(TreeHeader* tree)
    {
        ListNodeRing* ring = RingOf(tree);
        tree->Bytes -= Footprint(ring);
        tree->HasListNodes = false;
        tree->User1 = 0;
        Free(ring);
    }

    /// <summary>Adds a node to a tree's ring, before the one with an index or at the end.</summary>
    public void Insert(TreeHeader* tree, int index, ListNode node)
    {
        ListNodeRing* ring = RingOf(tree);
        if (ring->Count == ring->Capacity)
        {
            ring = Resize(tree, checked(ring->Capacity * 2));
        }

        ListNodeRing.Insert(ring, index, node);
    }

    /// <summary>Gives memory back of which a tree's ring has far too much.</summary>
    public void Trim(TreeHeader* tree)
    {
        ListNodeRing* ring = RingOf(tree);
        if (ring->Capacity > FewestNodes * SpareFactor && ring->Count <= ring->Capacity / SpareFactor)
        {
            Resize(tree, CapacityFor(ring->Count * 2));
        }
    }

    /// <summary>Frees a ring.</summary>
    public void Free(ListNodeRing* ring) => heap.Free(ring, ring->Block);

    private static int CapacityFor(int nodes) => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(nodes, FewestNodes));

    private static long BytesOf(int capacity) => ListNodeRing.HeaderBytes + ((long)capacity * sizeof(ListNode));

    private static long Footprint(ListNodeRing* ring) => NodeOrBlockHeap.Footprint(BytesOf(ring->Capacity));

    private static void Attach(TreeHeader* tree, ListNodeRing* ring)
    {
        tree->User1 = (nint)ring;
        tree->HasListNodes = true;
        tree->Bytes += Footprint(ring);
    }

    private ListNodeRing* Resize(TreeHeader* tree, int capacity)
    {
        ListNodeRing* old = RingOf(tree);
        ListNodeRing* ring = Allocate(capacity);
        ListNodeRing.CopyTo(old, ring);
        Drop(tree);
        Attach(tree, ring);
        return ring;
    }

    private ListNodeRing* Allocate(int capacity)
    {
        var ring = (ListNodeRing*)heap.Allocate(BytesOf(capacity), out BlockHeader* block);
        *ring = default;
        ring->Block = block;
        ring->Capacity = capacity;
        return ring;
    }
}
