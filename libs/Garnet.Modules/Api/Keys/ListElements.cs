// Enumerates the elements of a list. Lives on the stack.
using Garnet.Store.Collections.Lists;

namespace Garnet.Modules;

/// <summary>The elements of a list, for <c>foreach</c>.</summary>
public ref struct ListElements
{
    private ListEnumerator _items;

    internal ListElements(ListEnumerator items) => _items = items;

    /// <summary>The current one, invalid after the next change of the key.</summary>
    public readonly ReadOnlySpan<byte> Current => _items.Current;

    /// <summary>Goes to the next one; false after the last.</summary>
    public bool MoveNext() => _items.MoveNext();
}
