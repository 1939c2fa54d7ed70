// Maps an element's index to a node of the list. Immutable; invalid after the next change of the list.
namespace Garnet.Store.Collections.Lists;

/// <summary>A node's index, and the element's index within it.</summary>
internal readonly unsafe struct ListNodePosition
{
    private ListNodePosition(int node, long offset, long first)
    {
        Node = node;
        Offset = offset;
        First = first;
    }

    /// <summary>Index of the node.</summary>
    public int Node { get; }

    /// <summary>Number of elements in the node before this one.</summary>
    public long Offset { get; }

    /// <summary>Number of elements in the list before the node.</summary>
    public long First { get; }

    /// <summary>Finds the element at an index below the list's count, searching from the nearer end as Valkey does.</summary>
    public static ListNodePosition Find(ListNodeRing* ring, long count, long index)
    {
        if (index <= (count - 1) / 2)
        {
            long first = 0;
            int node = 0;
            for (long elements = ListNodeRing.At(ring, 0).Count; first + elements <= index; elements = ListNodeRing.At(ring, ++node).Count)
                first += elements;

            return new ListNodePosition(node, index - first, first);
        }

        int last = ring->Count - 1;
        long start = count - ListNodeRing.At(ring, last).Count;
        while (start > index)
            start -= ListNodeRing.At(ring, --last).Count;

        return new ListNodePosition(last, index - start, start);
    }
}
