// All elements of one collection in order, of any type: what a file, a dump or a log of it is made from. Lives on the stack of one walk.
namespace Garnet.Store;

/// <summary>
/// Walks a collection without a session: under the latch of its key, or over bytes that stay still. Lists come from the head on, sorted sets ascending, streams by ID; expired fields are shown.
/// </summary>
public ref struct CollectionImage
{
    private readonly ReadOnlySpan<byte> _bytes;
    private HashEnumerator _fields;
    private SetEnumerator _members;
    private SortedSetEnumerator _scored;
    private ListEnumerator _elements;

    private CollectionImage(RecordType type, ReadOnlySpan<byte> bytes)
    {
        Type = type;
        _bytes = bytes;
        Count = PackedForm.Count(bytes);
        switch (type)
        {
            case RecordType.Hash:
                _fields = new HashView(bytes, isStill: true, long.MinValue).GetEnumerator();
                break;
            case RecordType.Set:
                _members = new SetView(bytes, isStill: true).GetEnumerator();
                break;
            case RecordType.SortedSet:
                _scored = new SortedSetView(bytes, isStill: true).GetEnumerator();
                break;
            case RecordType.List:
                _elements = new ListView(bytes, isStill: true).Range(0, Count);
                break;
            default:
                throw new ArgumentException($"The type {type} has no elements.", nameof(type));
        }
    }

    /// <summary>The collection's type.</summary>
    public RecordType Type { get; }

    /// <summary>Elements, fields or members.</summary>
    public long Count { get; }

    /// <summary>The name that OBJECT ENCODING gives.</summary>
    public readonly ReadOnlySpan<byte> EncodingName => CollectionEncoding.NameOf(Type, _bytes);

    /// <summary>A list's element, a set's or sorted set's member, a hash's field. Integers are rendered into a buffer that 64 more renderings reuse.</summary>
    public readonly ReadOnlySpan<byte> First => Type switch
    {
        RecordType.Hash => _fields.Current.Field,
        RecordType.Set => _members.Current,
        RecordType.SortedSet => _scored.Current.Member,
        _ => _elements.Current,
    };

    /// <summary>The value of a hash's field.</summary>
    public readonly ReadOnlySpan<byte> Second => _fields.Current.Value;

    /// <summary>The score of a sorted set's member.</summary>
    public readonly double Score => _scored.Current.Score;

    /// <summary>When a hash's field expires, in Unix milliseconds; -1 for never.</summary>
    public readonly long ExpiresAtMs => Type == RecordType.Hash ? _fields.Current.ExpiresAtMs : -1;

    /// <summary>The collection in a record's value, or in a copy of it, which must stay still during the walk.</summary>
    public static CollectionImage FromBytes(RecordType type, ReadOnlySpan<byte> value) => new(type, value);

    /// <summary>Steps to the next element; false at the end.</summary>
    public bool MoveNext() => Type switch
    {
        RecordType.Hash => _fields.MoveNext(),
        RecordType.Set => _members.MoveNext(),
        RecordType.SortedSet => _scored.MoveNext(),
        _ => _elements.MoveNext(),
    };
}
