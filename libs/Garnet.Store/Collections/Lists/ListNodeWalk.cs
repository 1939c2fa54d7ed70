// Finds the nodes of a list's elements one after the other, while elements are taken out of them. Lives on the stack of one walk.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Lists;

/// <summary>Goes from one end to the other, by the numbers that the elements had before the walk.</summary>
internal unsafe struct ListNodeWalk(TreeHeader* tree, bool fromEnd)
{
    private int _node = fromEnd && tree->HasListNodes ? ListNodeHeap.RingOf(tree)->Count : -1;
    private long _passed;

    /// <summary>The node of an element, counted from where the walk began; elements come in order.</summary>
    public int NodeOf(long index)
    {
        // Nodes behind the walk may have lost elements, those before it have not.
        while (index >= _passed)
        {
            _node += fromEnd ? -1 : 1;
            _passed += ListNodeRing.At(ListNodeHeap.RingOf(tree), _node).Count;
        }

        return _node;
    }
}
