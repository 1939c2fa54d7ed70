// Walks the members of a set. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Sets;

/// <summary>Enumerates the members.</summary>
internal ref struct SetEnumerator
{
    private readonly SetView _view;
    private readonly int _integers;
    private int _next;
    private bool _isInTree;
    private TreeCursor _cursor;
    private PackedElement _current;
    private ReadOnlySpan<byte> _code; // of the current member in a tree

    internal SetEnumerator(SetView view)
    {
        _view = view;
        _integers = view.IsIntegers ? IntegerArray.Count(view.Bytes) : -1;
        _next = _integers >= 0 ? 0 : PackedForm.HeaderBytes;
    }

    // Starts at a position in the tree.
    internal SetEnumerator(SetView view, long first)
        : this(view)
    {
        if (first > 0)
        {
            _isInTree = true;
            _cursor.Seek(view.Tree, first - 1);
        }
    }

    /// <summary>The current member.</summary>
    public readonly ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>The current member as stored; for integers this avoids formatting and parsing the text.</summary>
    public readonly PackedElement Element => _current;

    /// <summary>The current member, to look it up in other sets.</summary>
    public readonly SetMember Member => _code.IsEmpty ? new(_current) : new(_current, _view.Trees, _code);

    /// <summary>Moves to the next member.</summary>
    public bool MoveNext()
    {
        if (_view.IsTree)
        {
            if (!TreeEntry.MoveNext(_view.Tree, ref _cursor, ref _isInTree))
                return false;

            _code = TreeEntry.At(ref _cursor);
            _current = PackedEntries.Read(_code, 0);
            return true;
        }

        if (_integers >= 0)
        {
            if (_next >= _integers)
                return false;

            _current = new PackedElement(IntegerArray.At(_view.Bytes, _next++));
            return true;
        }

        if (_next >= _view.Bytes.Length)
            return false;

        _current = PackedEntries.Read(_view.Bytes, _next);
        _next = PackedEntries.Next(_view.Bytes, _next);
        return true;
    }
}
