// Walks the fields of one entry of a stream. Lives on the stack; invalid after the next change.
using Garnet.Store.Collections.Hashes;

namespace Garnet.Store.Collections.Streams;

/// <summary>Enumerates fields; the names may be stored with the node's first entry.</summary>
internal ref struct StreamFieldEnumerator
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly bool _hasOwnNames;
    private int _name;
    private int _value;
    private int _left;
    private HashField _current;

    internal StreamFieldEnumerator(ReadOnlySpan<byte> bytes, int names, int values, int fields)
    {
        _bytes = bytes;
        _hasOwnNames = names < 0;
        _name = names;
        _value = values;
        _left = fields;
    }

    /// <summary>The current field.</summary>
    public readonly HashField Current => _current;

    /// <summary>Moves to the next field.</summary>
    public bool MoveNext()
    {
        if (_left-- <= 0)
            return false;

        int name = _hasOwnNames ? _value : _name;
        int value = _hasOwnNames ? PackedEntries.Next(_bytes, name) : _value;
        _current = new HashField(PackedEntries.Read(_bytes, name), PackedEntries.Read(_bytes, value), -1);
        _value = value < _bytes.Length ? PackedEntries.Next(_bytes, value) : value;
        if (!_hasOwnNames)
            _name = PackedEntries.Next(_bytes, _name);

        return true;
    }
}
