// Walks the entries of one section of a stream's groups tree. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates entries by name or by ID; <see cref="GroupEntry"/> describes them.</summary>
internal ref struct GroupSectionEnumerator
{
    private readonly ulong _section;
    private TreeCursor _cursor;
    private bool _isOver;

    /// <summary>Starts at the first entry that is not before a key of the section.</summary>
    public GroupSectionEnumerator(GroupReader groups, scoped in TreeKey from)
    {
        _section = from.High;
        groups.Seek(from, ref _cursor);
        _isOver = _cursor.IsEnd;
    }

    /// <summary>The current entry.</summary>
    public ReadOnlySpan<byte> Current { readonly get; private set; }

    /// <summary>Moves to the next entry.</summary>
    public bool MoveNext()
    {
        if (_isOver)
            return false;

        Current = TreeEntry.At(ref _cursor);
        _isOver = GroupEntry.SectionOf(Current) != _section;
        if (_isOver)
            return false;

        _isOver = !_cursor.MoveNext();
        return true;
    }
}
