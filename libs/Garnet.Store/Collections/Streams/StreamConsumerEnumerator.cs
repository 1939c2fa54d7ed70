// Walks the consumers of a group. Lives on the stack; void after the next change.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Streams;

/// <summary>Shows consumers one by one, in the order of their names.</summary>
public ref struct StreamConsumerEnumerator
{
    private readonly GroupReader _groups;
    private GroupSectionEnumerator _names;

    internal StreamConsumerEnumerator(GroupReader groups, long group)
    {
        _groups = groups;
        _names = new GroupSectionEnumerator(groups, GroupOrder.KeyOf(GroupEntry.NamesOf(group)));
    }

    /// <summary>The consumer stepped to.</summary>
    public readonly StreamConsumer Current => new(_groups, GroupEntry.NumberIn(_names.Current));

    /// <summary>Steps to the next consumer.</summary>
    public bool MoveNext() => _names.MoveNext();
}
