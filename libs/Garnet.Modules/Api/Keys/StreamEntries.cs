// Enumerates entries of a stream. Lives on the stack.
using Garnet.Store.Collections.Streams;

namespace Garnet.Modules;

/// <summary>Entries of a stream in the order of their IDs, for <c>foreach</c>.</summary>
public ref struct StreamEntries
{
    private readonly bool _isEmpty;
    private StreamEnumerator _entries;

    internal StreamEntries(StreamEnumerator entries) => _entries = entries;

    internal StreamEntries(bool isEmpty) => _isEmpty = isEmpty;

    /// <summary>The fields of the current entry, invalid after the next change of the key.</summary>
    public readonly StreamEntryFields Current => new(_entries.Current.GetEnumerator());

    /// <summary>The ID of the current entry.</summary>
    public readonly StreamEntryId Id => StreamEntryId.Of(_entries.Current.Id);

    /// <summary>The number of its fields.</summary>
    public readonly int FieldCount => _entries.Current.Fields;

    /// <summary>The enumerator itself.</summary>
    public readonly StreamEntries GetEnumerator() => this;

    /// <summary>Goes to the next one; false after the last.</summary>
    public bool MoveNext() => !_isEmpty && _entries.MoveNext();
}
