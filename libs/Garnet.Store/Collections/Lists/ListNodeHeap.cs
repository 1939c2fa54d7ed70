// Native memory for the node rings of lists. Thread-safe; a tree's own ring is used under the latch of its key.
using System.Numerics;
using Garnet.Store.Collections.Trees;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Lists;

/// <summary>Allocates rings. A ring is owned by a list's tree, which stores its address in a user field and counts its memory.</summary>
internal sealed unsafe class ListNodeHeap(NodeOrBlockHeap heap)
{
    private const int FewestNodes = 4;

    // A ring shrinks only when it is at most an eighth full, so that it does not alternate between growing and shrinking.
    private const int SpareFactor = 8;

    /// <summary>The ring of a list's tree, or null.</summary>
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

    /// <summary>A copy of a ring without an owner; must be passed to <see cref="Free"/>.</summary>
    public ListNodeRing* Copy(ListNodeRing* ring)
    {
        ListNodeRing* copy = Allocate(CapacityFor(ring->Count));
        ListNodeRing.CopyTo(ring, copy);
        return copy;
    }

    /// <summary>Detaches a tree's ring and frees it.</summary>
    public void Drop(TreeHeader* tree)
    {
        ListNodeRing* ring = RingOf(tree);
        tree->Bytes -= Footprint(ring);
        tree->HasListNodes = false;
        tree->User1 = 0;
        Free(ring);
    }

    /// <summary>Inserts a node into a tree's ring before the given index, or at the end.</summary>
    public void Insert(TreeHeader* tree, int index, ListNode node)
    {
        ListNodeRing* ring = RingOf(tree);
        if (ring->Count == ring->Capacity)
            ring = Resize(tree, checked(ring->Capacity * 2));

        ListNodeRing.Insert(ring, index, node);
    }

    /// <summary>Shrinks a tree's ring that has far too much capacity.</summary>
    public void Trim(TreeHeader* tree)
    {
        ListNodeRing* ring = RingOf(tree);
        if (ring->Capacity > FewestNodes * SpareFactor && ring->Count <= ring->Capacity / SpareFactor)
            Resize(tree, CapacityFor(ring->Count * 2));
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
