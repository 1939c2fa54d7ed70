// Walks the groups of a stream. Lives on the stack; void after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Shows groups one by one, in the order of their names.</summary>
public ref struct StreamGroupEnumerator
{
    private readonly GroupReader _groups;
    private GroupSectionEnumerator _names;

    internal StreamGroupEnumerator(GroupReader groups)
    {
        _groups = groups;
        _names = new GroupSectionEnumerator(groups, GroupOrder.KeyOf(GroupEntry.NamesOf(0)));
    }

    /// <summary>The group stepped to.</summary>
    public readonly StreamGroup Current => new(_groups, GroupEntry.NumberIn(_names.Current));

    /// <summary>Itself.</summary>
    public readonly StreamGroupEnumerator GetEnumerator() => this;

    /// <summary>Steps to the next group.</summary>
    public bool MoveNext() => _names.MoveNext();
}
