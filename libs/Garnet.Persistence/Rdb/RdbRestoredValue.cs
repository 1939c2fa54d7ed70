// A value read from a payload, under no key yet. Lives on the stack; belongs to the session's thread.
using Garnet.Persistence.Rdb.Values;
using Garnet.Store;

namespace Garnet.Persistence.Rdb;

/// <summary>A string's bytes or a collection built aside. Ends with <see cref="StoreTo"/> or <see cref="Discard"/>.</summary>
public ref struct RdbRestoredValue
{
    private readonly ReadOnlySpan<byte> _string;
    private readonly bool _isString;
    private RdbStoreSink _collection;

    internal RdbRestoredValue(ReadOnlySpan<byte> value)
    {
        _string = value;
        _isString = true;
    }

    internal RdbRestoredValue(RdbStoreSink collection) => _collection = collection;

    /// <summary>Length of a string; 0 for a collection, whose memory is counted already.</summary>
    public readonly int StringLength => _string.Length;

    /// <summary>Makes the value that of a latched record, which it replaces.</summary>
    public readonly void StoreTo(ref RecordHandle target, long expiresAtMs)
    {
        if (_isString)
            target.Set(_string, expiresAtMs);
        else
            RdbStoreSink.StoreTo(_collection, ref target, expiresAtMs);
    }

    /// <summary>Gives the value up.</summary>
    public void Discard() => _collection.Discard();
}
