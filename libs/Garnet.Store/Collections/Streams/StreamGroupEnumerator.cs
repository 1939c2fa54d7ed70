// Walks the groups of a stream. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates groups in the order of their names.</summary>
internal ref struct StreamGroupEnumerator
{
    private readonly GroupReader _groups;
    private GroupSectionEnumerator _names;

    internal StreamGroupEnumerator(GroupReader groups)
    {
        _groups = groups;
        _names = new GroupSectionEnumerator(groups, GroupOrder.KeyOf(GroupEntry.NamesOf(0)));
    }

    /// <summary>The current group.</summary>
    public readonly StreamGroup Current => new(_groups, GroupEntry.NumberIn(_names.Current));

    /// <summary>Returns itself, for foreach.</summary>
    public readonly StreamGroupEnumerator GetEnumerator() => this;

    /// <summary>Moves to the next group.</summary>
    public bool MoveNext() => _names.MoveNext();
}
