// Enumerates the fields of a stream's entry. Lives on the stack.
using Garnet.Store.Collections.Streams;

namespace Garnet.Modules;

/// <summary>The fields of an entry in their order, for <c>foreach</c>.</summary>
public ref struct StreamEntryFields
{
    private StreamFieldEnumerator _fields;

    internal StreamEntryFields(StreamFieldEnumerator fields) => _fields = fields;

    /// <summary>The current field; it never expires.</summary>
    public readonly HashFieldValue Current => new(_fields.Current.Field, _fields.Current.Value, -1);

    /// <summary>The enumerator itself.</summary>
    public readonly StreamEntryFields GetEnumerator() => this;

    /// <summary>Goes to the next one; false after the last.</summary>
    public bool MoveNext() => _fields.MoveNext();
}
