// Finds the node of each element of a list in turn while elements are being removed. Lives on the stack of one walk.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>Walks from one end to the other, by the indexes that the elements had before the walk.</summary>
internal unsafe struct ListNodeWalk(TreeHeader* tree, bool fromEnd)
{
    private int _node = fromEnd && tree->HasListNodes ? ListNodeHeap.RingOf(tree)->Count : -1;
    private long _passed;

    /// <summary>The node of an element, counted from the starting end; elements must be requested in order.</summary>
    public int NodeOf(long index)
    {
        // Nodes already passed may have lost elements; those ahead have not.
        while (index >= _passed)
        {
            _node += fromEnd ? -1 : 1;
            _passed += ListNodeRing.At(ListNodeHeap.RingOf(tree), _node).Count;
        }

        return _node;
    }
}
