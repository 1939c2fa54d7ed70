// Walks the entries of one section of the groups beside a stream. Lives on the stack; void after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Shows entries one by one, by name or by ID; <see cref="GroupEntry"/> says what they are.</summary>
internal ref struct GroupSectionEnumerator
{
    private readonly ulong _section;
    private TreeCursor _cursor;
    private bool _isOver;

    /// <summary>From the first entry on that is not before a key of the section.</summary>
    public GroupSectionEnumerator(GroupReader groups, scoped in TreeKey from)
    {
        _section = from.High;
        groups.Seek(from, ref _cursor);
        _isOver = _cursor.IsEnd;
    }

    /// <summary>The entry stepped to.</summary>
    public ReadOnlySpan<byte> Current { readonly get; private set; }

    /// <summary>Steps to the next entry.</summary>
    public bool MoveNext()
    {
        if (_isOver)
        {
            return false;
        }

        Current = TreeEntry.At(ref _cursor);
        _isOver = GroupEntry.SectionOf(Current) != _section;
        if (_isOver)
        {
            return false;
        }

        _isOver = !_cursor.MoveNext();
        return true;
    }
}
