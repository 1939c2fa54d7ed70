// Finds where keys end without decoding them, so that other threads can. Stateless; any thread.
using System.Buffers.Binary;

namespace Garnet.Persistence.Rdb.Loading;

/// <summary>Knows just enough of the format to skip a key with its value.</summary>
internal ref struct RdbFramer(ReadOnlySpan<byte> bytes, int version)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly int _version = version;
    private int _position;

    /// <summary>
    /// The index after the key that begins at <paramref name="start"/>; -1 when it is incomplete, or something else begins there, or its
    /// end is known only by decoding it.
    /// </summary>
    public int EndOfKey(int start)
    {
        _position = start;
        while (_position < _bytes.Length)
        {
            byte type = _bytes[_position++];
            switch (type)
            {
                case RdbOpcode.ExpiryMs:
                    _position += sizeof(long);
                    break;
                case RdbOpcode.ExpirySeconds:
                    _position += sizeof(int);
                    break;
                case RdbOpcode.Frequency:
                    _position++;
                    break;
                case RdbOpcode.Idle:
                    if (!TryReadLength(out _))
                        return -1;
                    break;
                case RdbOpcode.Aux when RdbSliding.StandsAt(_bytes[(_position - 1)..]) || RdbActivity.StandsAt(_bytes[(_position - 1)..]):
                    // Properties that belong to a key, not to the file.
                    if (!TrySkipString() || !TrySkipString())
                        return -1;
                    break;
                default:
                    return TrySkipString() && TrySkipValue((RdbType)type) ? _position : -1;
            }
        }

        return -1;
    }

    private bool TrySkipValue(RdbType type) =>
        type switch
        {
            RdbType.String
            or RdbType.HashZipMap
            or RdbType.ListZipList
            or RdbType.SetIntSet
            or RdbType.SortedSetZipList
            or RdbType.HashZipList
            or RdbType.HashListPack
            or RdbType.SortedSetListPack
            or RdbType.SetListPack => TrySkipString(),
            RdbType.List or RdbType.Set or RdbType.ListQuickList => TrySkipStrings(1, 0),
            RdbType.Hash => TrySkipStrings(2, 0),
            RdbType.SortedSet => TrySkipStrings(1, sizeof(double)),
            RdbType.HashExpiring when _version >= RdbWriter.FirstValkeyVersion => TrySkipStrings(2, sizeof(long)),
            RdbType.ListQuickList2 => TrySkipContainers(),
            _ => false,
        };

    // A count; then, for each item, a number of strings and a number of bytes.
    private bool TrySkipStrings(int strings, int bytesBehind)
    {
        if (!TryReadLength(out ulong count))
            return false;
        for (; count > 0; count--)
        {
            for (int i = 0; i < strings; i++)
            {
                if (!TrySkipString())
                    return false;
            }

            if (!TrySkip((ulong)bytesBehind))
                return false;
        }

        return true;
    }

    private bool TrySkipContainers()
    {
        if (!TryReadLength(out ulong count))
            return false;
        for (; count > 0; count--)
        {
            if (!TryReadLength(out _) || !TrySkipString())
                return false;
        }

        return true;
    }

    private bool TrySkipString()
    {
        if (_position >= _bytes.Length)
            return false;
        byte first = _bytes[_position];
        if (first < 0xC0)
            return TryReadLength(out ulong length) && TrySkip(length);
        _position++;
        return first switch
        {
            RdbString.Int8 => TrySkip(1),
            RdbString.Int16 => TrySkip(2),
            RdbString.Int32 => TrySkip(4),
            RdbString.Compressed => TryReadLength(out ulong compressed) && TryReadLength(out _) && TrySkip(compressed),
            _ => false,
        };
    }

    private bool TrySkip(ulong count)
    {
        if (count > (ulong)(_bytes.Length - _position))
            return false;
        _position += (int)count;
        return true;
    }

    private bool TryReadLength(out ulong length)
    {
        length = 0;
        if (_position >= _bytes.Length)
            return false;
        ReadOnlySpan<byte> rest = _bytes[_position..];
        int taken = (rest[0] >> 6, rest[0]) switch
        {
            (0, _) => 1,
            (1, _) => 2,
            (2, 0x80) => 5,
            (2, 0x81) => 9,
            _ => int.MaxValue,
        };
        if (taken > rest.Length)
            return false;
        length = taken switch
        {
            1 => rest[0],
            2 => (ulong)(BinaryPrimitives.ReadUInt16BigEndian(rest) & 0x3FFF),
            5 => BinaryPrimitives.ReadUInt32BigEndian(rest[1..]),
            _ => BinaryPrimitives.ReadUInt64BigEndian(rest[1..]),
        };
        _position += taken;
        return true;
    }
}
