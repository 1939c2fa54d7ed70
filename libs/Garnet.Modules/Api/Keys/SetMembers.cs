// Enumerates the members of a set. Lives on the stack.
using Garnet.Store.Collections.Sets;

namespace Garnet.Modules;

/// <summary>The members of a set, for <c>foreach</c>.</summary>
public ref struct SetMembers
{
    private SetEnumerator _items;

    internal SetMembers(SetEnumerator items) => _items = items;

    /// <summary>The current one, invalid after the next change of the key.</summary>
    public readonly ReadOnlySpan<byte> Current => _items.Current;

    /// <summary>Goes to the next one; false after the last.</summary>
    public bool MoveNext() => _items.MoveNext();
}
