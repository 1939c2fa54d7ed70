// A value read from a payload, not stored under a key yet. Lives on the stack; belongs to the session's thread.
using Garnet.Persistence.Rdb.Values;
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb;

/// <summary>A string's bytes, or a detached collection or stream. Ends with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
internal ref struct RdbRestoredValue
{
    private readonly ReadOnlySpan<byte> _string;
    private readonly RecordType _type;
    private readonly CustomType? _custom;
    private RdbStoreSink _collection;
    private RdbStreamSink _stream;

    internal RdbRestoredValue(ReadOnlySpan<byte> value)
    {
        _string = value;
        _type = RecordType.String;
    }

    internal RdbRestoredValue(CustomType type, byte[] payload)
    {
        _string = payload;
        _custom = type;
        _type = RecordType.Custom;
    }

    internal RdbRestoredValue(RdbStoreSink collection)
    {
        _collection = collection;
        _type = RecordType.Set;
    }

    internal RdbRestoredValue(RdbStreamSink stream)
    {
        _stream = stream;
        _type = RecordType.Stream;
    }

    /// <summary>Length of a string or of a custom type's value; 0 for a collection, whose memory is counted already.</summary>
    public readonly int StringLength => _string.Length;

    /// <summary>Replaces the value of a latched record with it.</summary>
    public readonly void StoreTo(ref RecordHandle target, long expiresAtMs)
    {
        if (_type == RecordType.String)
            target.Set(_string, expiresAtMs);
        else if (_custom is not null)
            new CustomValue(target).Set(_custom, _string, expiresAtMs);
        else if (_type == RecordType.Stream)
            RdbStreamSink.StoreTo(_stream, ref target, expiresAtMs);
        else
            RdbStoreSink.StoreTo(_collection, ref target, expiresAtMs);
    }

    /// <summary>Frees the value.</summary>
    public void Discard()
    {
        if (_type == RecordType.Stream)
            _stream.Discard();
        else
            _collection.Discard();
    }
}
