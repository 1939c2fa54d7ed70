// Walks the fields of a hash. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Hashes;

/// <summary>Enumerates the visible fields.</summary>
internal ref struct HashEnumerator
{
    private readonly HashView _view;
    private int _next;
    private bool _isInTree;
    private TreeCursor _cursor;
    private HashField _current;

    internal HashEnumerator(HashView view)
    {
        _view = view;
        _next = view.Start;
    }

    // Starts at a position in the tree.
    internal HashEnumerator(HashView view, long first)
        : this(view)
    {
        if (first > 0)
        {
            _isInTree = true;
            _cursor.Seek(view.Tree, first - 1);
        }
    }

    /// <summary>The current field.</summary>
    public readonly HashField Current => _current;

    /// <summary>Its position in a tree, counting expired fields.</summary>
    public readonly long Position => _cursor.Rank;

    /// <summary>Moves to the next visible field.</summary>
    public bool MoveNext()
    {
        if (_view.IsTree)
            return MoveNextInTree();

        while (_next < _view.End)
        {
            _current = _view.At(_next, out _next);
            if (!_view.IsExpired(_current.ExpiresAtMs))
                return true;
        }

        return false;
    }

    private bool MoveNextInTree()
    {
        while (TreeEntry.MoveNext(_view.Tree, ref _cursor, ref _isInTree))
        {
            _current = HashEntry.Read(TreeEntry.At(ref _cursor));
            if (!_view.IsExpired(_current.ExpiresAtMs))
                return true;
        }

        return false;
    }
}
