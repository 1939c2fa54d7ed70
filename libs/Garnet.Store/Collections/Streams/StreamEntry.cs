// One entry of a stream as returned by an enumeration. Lives on the stack.
namespace Garnet.Store.Collections.Streams;

/// <summary>An ID with fields in their original order; invalid after the next change.</summary>
internal readonly ref struct StreamEntry
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly int _names;
    private readonly int _values;

    internal StreamEntry(StreamId id, int fields, ReadOnlySpan<byte> bytes, int names, int values)
    {
        Id = id;
        Fields = fields;
        _bytes = bytes;
        _names = names;
        _values = values;
    }

    /// <summary>The entry's ID.</summary>
    public StreamId Id { get; }

    /// <summary>Number of fields.</summary>
    public int Fields { get; }

    /// <summary>The fields with their values.</summary>
    public StreamFieldEnumerator GetEnumerator() => new(_bytes, _names, _values, Fields);
}
