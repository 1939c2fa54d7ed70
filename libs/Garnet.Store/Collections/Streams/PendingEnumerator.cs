// Walks what is pending in a group or for a consumer, by ID. Lives on the stack; void after the next change.
namespace Garnet.Store;

/// <summary>Shows pending entries one by one: a group's, or one consumer's of it.</summary>
public ref struct PendingEnumerator
{
    private readonly GroupReader _groups;
    private readonly long _group;
    private readonly ulong _section;
    private readonly StreamId _end;
    private TreeCursor _cursor;
    private bool _isOver;
    private PendingEntry _current;

    internal PendingEnumerator(GroupReader groups, long group, long ofNumber, StreamId start, StreamId end)
    {
        _groups = groups;
        _group = group;
        _section = GroupEntry.PendingOf(ofNumber);
        _end = end;
        groups.Seek(_section, start, ref _cursor);
        _isOver = _cursor.IsEnd;
    }

    /// <summary>The entry stepped to.</summary>
    public readonly PendingEntry Current => _current;

    /// <summary>Itself.</summary>
    public readonly PendingEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next pending entry.</summary>
    public bool MoveNext()
    {
        if (_isOver)
        {
            return false;
        }

        ReadOnlySpan<byte> entry = TreeEntry.At(ref _cursor);
        if (GroupEntry.SectionOf(entry) != _section || GroupEntry.IdIn(entry) > _end)
        {
            _isOver = true;
            return false;
        }

        // What is known of a consumer's stands with the group's.
        if (_section != GroupEntry.PendingOf(_group))
        {
            _groups.TryGetPending(_group, GroupEntry.IdIn(entry), out entry);
        }

        _current = GroupEntry.PendingIn(entry, _groups);
        _isOver = !_cursor.MoveNext();
        return true;
    }
}
