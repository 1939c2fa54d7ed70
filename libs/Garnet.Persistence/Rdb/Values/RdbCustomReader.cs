// Reads the items of a custom type's value: collects them first, as they arrive, then hands them to the type. One thread.
using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb.Values;

/// <summary>The items between a type's ID and the end tag.</summary>
internal sealed class RdbCustomReader : ICustomValueReader
{
    private readonly ArrayBufferWriter<byte> _items = new();
    private readonly RdbScratch _string = new();
    private int _position;

    /// <summary>Reads a value whose type byte has been read.</summary>
    /// <param name="source">The data.</param>
    /// <param name="types">The types known.</param>
    /// <param name="type">Receives the value's type; of one that is kept because its type is not known, the type for that.</param>
    /// <returns>The payload to store.</returns>
    /// <exception cref="RdbFormatException">The type is not known, or the value is damaged.</exception>
    public static byte[] Read(scoped ref RdbSource source, DataTypeTable types, out CustomType type)
    {
        ulong id = source.ReadLength();
        if (!types.TryFind(id, out CustomType? found) || found == types.Kept)
        {
            if (!types.KeepsMissing)
                throw source.Wrong($"A value of the type '{CustomType.NameOf(id)}' cannot be read: no module or application has added it");
            type = types.Kept;
            return KeptType.PayloadOf(id, new RdbItemCopier().Copy(ref source));
        }

        int version = CustomType.VersionOf(id);
        if (version > found.Version)
            throw source.Wrong($"A value of the type '{found.Name}' has version {version}; {found.Version} is the latest known");
        type = found;
        var reader = new RdbCustomReader();
        reader.Collect(ref source);
        return reader.TryLoad(found, version, out byte[]? payload)
            ? payload
            : throw source.Wrong($"The type '{found.Name}' does not accept its value");
    }

    /// <summary>What a type makes of a value that was kept; null when it does not accept it.</summary>
    /// <param name="kept">The payload of the kept value.</param>
    /// <param name="type">The value's own type.</param>
    /// <param name="compressed">Memory for compressed strings.</param>
    public static byte[]? Load(ReadOnlySpan<byte> kept, CustomType type, RdbScratch compressed)
    {
        int version = CustomType.VersionOf(KeptType.TypeIdOf(kept));
        if (version > type.Version)
            return null;
        RdbSource source = new(KeptType.ItemsOf(kept), 0, compressed);
        RdbCustomReader reader = new();
        try
        {
            reader.Collect(ref source);
        }
        catch (RdbFormatException)
        {
            // No one has looked at the bytes before.
            return null;
        }

        return reader.TryLoad(type, version, out byte[]? payload) ? payload : null;
    }

    public bool TryReadInt64(out long value) => TryReadNumber(RdbModule.Signed, out value);

    public bool TryReadUInt64(out ulong value)
    {
        bool isRead = TryReadNumber(RdbModule.Unsigned, out long bits);
        value = (ulong)bits;
        return isRead;
    }

    public bool TryReadDouble(out double value)
    {
        bool isRead = TryReadNumber(RdbModule.Double, out long bits);
        value = BitConverter.Int64BitsToDouble(bits);
        return isRead;
    }

    public bool TryReadString(out ReadOnlySpan<byte> value)
    {
        value = default;
        if (!TryReadNumber(RdbModule.String, out long length))
            return false;
        value = _items.WrittenSpan.Slice(_position, (int)length);
        _position += (int)length;
        return true;
    }

    private bool TryLoad(CustomType type, int version, [NotNullWhen(true)] out byte[]? payload)
    {
        payload = type.Load(this, version);
        return payload is not null && _position == _items.WrittenCount;
    }

    private bool TryReadNumber(byte tag, out long bits)
    {
        ReadOnlySpan<byte> left = _items.WrittenSpan[_position..];
        bool isThere = !left.IsEmpty && left[0] == tag;
        bits = isThere ? BinaryPrimitives.ReadInt64LittleEndian(left[1..]) : 0;
        _position += isThere ? 1 + sizeof(long) : 0;
        return isThere;
    }

    // Each item becomes its tag and eight bytes: a number, or a string's length, after which its bytes follow.
    private void Collect(scoped ref RdbSource source)
    {
        while (true)
        {
            ulong tag = source.ReadLength();
            switch (tag)
            {
                case RdbModule.End:
                    return;
                case RdbModule.Signed or RdbModule.Unsigned:
                    Add(ref source, (byte)tag, (long)source.ReadLength());
                    break;
                case RdbModule.Float:
                    Add(ref source, RdbModule.Double, BitConverter.DoubleToInt64Bits(source.ReadSingle()));
                    break;
                case RdbModule.Double:
                    Add(ref source, RdbModule.Double, BitConverter.DoubleToInt64Bits(source.ReadDouble()));
                    break;
                case RdbModule.String:
                    ReadOnlySpan<byte> bytes = source.ReadString(_string);
                    Add(ref source, RdbModule.String, bytes.Length, bytes);
                    break;
                default:
                    throw source.Wrong($"The value of a custom type has an item of the unknown kind {tag}");
            }
        }
    }

    private void Add(scoped ref RdbSource source, byte tag, long bits, scoped ReadOnlySpan<byte> bytes = default)
    {
        long size = 1L + sizeof(long) + bytes.Length;
        if (_items.WrittenCount + size > HybridLogStore.MaxStringBytes)
            throw source.Wrong("The value of a custom type is too long");
        Span<byte> target = _items.GetSpan((int)size);
        target[0] = tag;
        BinaryPrimitives.WriteInt64LittleEndian(target[1..], bits);
        bytes.CopyTo(target[(1 + sizeof(long))..]);
        _items.Advance((int)size);
    }
}
