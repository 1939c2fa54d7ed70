// Walks the names of a stream's groups, or of a group's consumers. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows the numbers that names have, in the order of the names.</summary>
internal ref struct GroupNameEnumerator
{
    private readonly ulong _section;
    private TreeCursor _cursor;
    private bool _isOver;

    public GroupNameEnumerator(GroupReader groups, ulong section)
    {
        _section = section;
        groups.Seek(section, ref _cursor);
        _isOver = _cursor.IsEnd;
    }

    /// <summary>The number stepped to.</summary>
    public long Number { readonly get; private set; }

    /// <summary>Steps to the next name.</summary>
    public bool MoveNext()
    {
        if (_isOver)
        {
            return false;
        }

        ReadOnlySpan<byte> entry = TreeEntry.At(ref _cursor);
        if (GroupEntry.SectionOf(entry) != _section)
        {
            _isOver = true;
            return false;
        }

        Number = GroupEntry.NumberIn(entry);
        _isOver = !_cursor.MoveNext();
        return true;
    }
}
