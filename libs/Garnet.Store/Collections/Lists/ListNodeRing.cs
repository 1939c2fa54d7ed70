// The nodes of one list, head to tail, in native memory: grows and shrinks at both ends without moving the rest. Used under the latch of
// the list's key.
using System.Diagnostics;
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Lists;

/// <summary>The header of a ring; the nodes follow it. Allocated by <see cref="ListNodeHeap"/>.</summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct ListNodeRing
{
    /// <summary>Bytes before the nodes.</summary>
    public const int HeaderBytes = 24;

    /// <summary>The block that holds the ring; null when it is a node of the heap.</summary>
    public BlockHeader* Block;

    /// <summary>Capacity in nodes, a power of two.</summary>
    public int Capacity;

    /// <summary>Number of nodes.</summary>
    public int Count;

    /// <summary>Slot of the first node.</summary>
    public int Head;

    /// <summary>The setting that was in force when the list was split into nodes.</summary>
    public short Setting;

    /// <summary>Whether Valkey would compress inner nodes under the settings in force then.</summary>
    public bool IsCompressed;

    /// <summary>The node at an index below <see cref="Count"/>.</summary>
    public static ref ListNode At(ListNodeRing* ring, int index)
    {
        Debug.Assert(index >= 0 && index < ring->Count, "Node index out of range.");
        return ref Slots(ring)[(ring->Head + index) & (ring->Capacity - 1)];
    }

    /// <summary>Inserts a node before the given index or at the end, which must fit; the nearer end moves.</summary>
    public static void Insert(ListNodeRing* ring, int index, ListNode node)
    {
        Debug.Assert(ring->Count < ring->Capacity && index >= 0 && index <= ring->Count, "Ring full or node index out of range.");
        ring->Count++;
        if (index < ring->Count / 2)
        {
            ring->Head = (ring->Head - 1) & (ring->Capacity - 1);
            for (int i = 0; i < index; i++)
                At(ring, i) = At(ring, i + 1);
        }
        else
        {
            for (int i = ring->Count - 1; i > index; i--)
                At(ring, i) = At(ring, i - 1);
        }

        At(ring, index) = node;
    }

    /// <summary>Removes consecutive nodes; the shorter end moves.</summary>
    public static void Remove(ListNodeRing* ring, int index, int count)
    {
        Debug.Assert(index >= 0 && count >= 0 && index + count <= ring->Count, "Range of nodes to remove out of range.");
        int behind = ring->Count - index - count;
        if (index < behind)
        {
            for (int i = index - 1; i >= 0; i--)
                At(ring, i + count) = At(ring, i);

            ring->Head = (ring->Head + count) & (ring->Capacity - 1);
        }
        else
        {
            for (int i = index; i < index + behind; i++)
                At(ring, i) = At(ring, i + count);
        }

        ring->Count -= count;
    }

    /// <summary>Removes all empty nodes in one pass.</summary>
    public static void RemoveEmpty(ListNodeRing* ring)
    {
        int kept = 0;
        for (int i = 0; i < ring->Count; i++)
        {
            ListNode node = At(ring, i);
            if (node.Count > 0)
                At(ring, kept++) = node;
        }

        ring->Count = kept;
    }

    /// <summary>Copies all nodes to another ring with sufficient capacity.</summary>
    public static void CopyTo(ListNodeRing* ring, ListNodeRing* target)
    {
        int first = Math.Min(ring->Count, ring->Capacity - ring->Head);
        var slots = new Span<ListNode>(Slots(target), target->Capacity);
        new Span<ListNode>(Slots(ring) + ring->Head, first).CopyTo(slots);
        new Span<ListNode>(Slots(ring), ring->Count - first).CopyTo(slots[first..]);
        target->Head = 0;
        target->Count = ring->Count;
        target->Setting = ring->Setting;
        target->IsCompressed = ring->IsCompressed;
    }

    private static ListNode* Slots(ListNodeRing* ring) => (ListNode*)((byte*)ring + HeaderBytes);
}
