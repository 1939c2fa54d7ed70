// Counts the nodes of Valkey's radix tree over IDs, without making it. Belongs to the thread that counts.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Garnet.Store;

/// <summary>
/// Takes IDs in ascending order as keys of sixteen bytes. A tree has a node where keys part, one for every run of bytes without a parting between those, and one at the end of each key.
/// </summary>
internal struct RadixShape
{
    private const int KeyBytes = 16;

    private Partings _partings;
    private int _depth;
    private StreamId _last;
    private long _keys;
    private long _nodes;

    /// <summary>Nodes so far; an empty tree has its root.</summary>
    public readonly long Nodes => _keys == 0 ? 1 : _nodes;

    /// <summary>Adds a key above all before.</summary>
    public void Add(StreamId id)
    {
        if (_keys++ == 0)
        {
            // One run, and its end.
            _nodes = 2;
        }
        else
        {
            Part(CommonBytes(_last, id));
        }

        _last = id;
    }

    // The new key leaves the way of the last one behind so many bytes.
    private void Part(int at)
    {
        int below = KeyBytes;
        while (_depth > 0 && _partings[_depth - 1] > at)
        {
            below = _partings[--_depth];
        }

        if (_depth == 0 || _partings[_depth - 1] != at)
        {
            // A run is cut in two, of which either may be empty.
            int above = _depth == 0 ? 0 : _partings[_depth - 1] + 1;
            _nodes += (at > above ? 1 : 0) + (below > at + 1 ? 1 : 0);
            _partings[_depth++] = (byte)at;
        }

        _nodes += at + 1 < KeyBytes ? 2 : 1;
    }

    private static int CommonBytes(StreamId one, StreamId other)
    {
        Span<byte> bytes = stackalloc byte[2 * KeyBytes];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, one.Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], one.Sequence);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[16..], other.Milliseconds);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[24..], other.Sequence);
        return bytes[..KeyBytes].CommonPrefixLength(bytes[KeyBytes..]);
    }

    [InlineArray(KeyBytes)]
    private struct Partings
    {
        private byte _first;
    }
}
