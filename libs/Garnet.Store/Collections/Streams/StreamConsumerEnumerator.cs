// Walks the consumers of a group. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates consumers in the order of their names.</summary>
internal ref struct StreamConsumerEnumerator
{
    private readonly GroupReader _groups;
    private GroupSectionEnumerator _names;

    internal StreamConsumerEnumerator(GroupReader groups, long group)
    {
        _groups = groups;
        _names = new GroupSectionEnumerator(groups, GroupOrder.KeyOf(GroupEntry.NamesOf(group)));
    }

    /// <summary>The current consumer.</summary>
    public readonly StreamConsumer Current => new(_groups, GroupEntry.NumberIn(_names.Current));

    /// <summary>Moves to the next consumer.</summary>
    public bool MoveNext() => _names.MoveNext();
}
