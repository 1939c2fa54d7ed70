// Walks the pending entries of a group or consumer, by ID. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates the pending entries of a group, or of one of its consumers.</summary>
internal ref struct PendingEnumerator
{
    private readonly GroupReader _groups;
    private readonly long _group;
    private readonly bool _isOfConsumer;
    private readonly StreamId _end;
    private GroupSectionEnumerator _entries;
    private PendingEntry _current;

    internal PendingEnumerator(GroupReader groups, long group, long ofNumber, StreamId start, StreamId end)
    {
        _groups = groups;
        _group = group;
        _isOfConsumer = ofNumber != group;
        _end = end;
        _entries = new GroupSectionEnumerator(groups, GroupOrder.KeyOf(GroupEntry.PendingOf(ofNumber), start));
    }

    /// <summary>The current entry.</summary>
    public readonly PendingEntry Current => _current;

    /// <summary>Returns itself, for foreach.</summary>
    public readonly PendingEnumerator GetEnumerator() => this;

    /// <summary>Moves to the next pending entry.</summary>
    public bool MoveNext()
    {
        if (!_entries.MoveNext())
            return false;

        ReadOnlySpan<byte> entry = _entries.Current;
        if (GroupEntry.IdIn(entry) > _end)
            return false;

        // The details of a consumer's pending entry are stored with the group's.
        if (_isOfConsumer)
            _groups.TryGetPending(_group, GroupEntry.IdIn(entry), out entry);

        _current = GroupEntry.PendingIn(entry, _groups);
        return true;
    }
}
