// Reads the primitives of RDB data from bytes in memory or from a stream after them. Trusts no length before the bytes have arrived; one
// thread.
using System.Buffers.Binary;
using Garnet.Store;

namespace Garnet.Persistence.Rdb;

/// <summary>A position in RDB data. Lives on the stack; pass it by reference.</summary>
internal ref struct RdbSource
{
    // Maximum number of contiguous bytes that numbers and headers need.
    private const int MaxContiguous = 16;

    // The last known encoding of a length.
    private const byte LongLength = 0x81;
    private readonly RdbInput? _input;
    private readonly RdbScratch _compressed;
    private ReadOnlySpan<byte> _window;
    private long _origin;

    /// <summary>Reads bytes in memory; <paramref name="origin"/> is the position of the first one in the file.</summary>
    public RdbSource(ReadOnlySpan<byte> bytes, long origin, RdbScratch compressed)
    {
        _window = bytes;
        _origin = origin;
        _compressed = compressed;
    }

    /// <summary>Continues from the position of an input. <see cref="Return"/> updates the input's position.</summary>
    public RdbSource(RdbInput input, RdbScratch compressed)
    {
        _input = input;
        _compressed = compressed;
        Adopt(input);
    }

    /// <summary>Index of the next byte in the window.</summary>
    public int Position { get; private set; }

    /// <summary>Bytes of the file before the next one.</summary>
    public readonly long Offset => _origin + Position;

    /// <summary>True when the bytes in memory are used up.</summary>
    public readonly bool IsAtEnd => Position == _window.Length;

    /// <summary>Remaining bytes, or the maximum value when that is unknown.</summary>
    public readonly long Remaining
    {
        get
        {
            if (_input is null)
                return _window.Length - Position;
            _input.Position = Position;
            return _input.Remaining;
        }
    }

    /// <summary>Updates the input's position.</summary>
    public readonly void Return() => _input!.Position = Position;

    /// <summary>Creates the exception for invalid data here.</summary>
    public readonly RdbFormatException Wrong(string reason) => new(Offset, reason);

    public byte ReadByte() => Take(1)[0];

    /// <summary>The next byte, without consuming it.</summary>
    public byte Peek()
    {
        byte next = ReadByte();
        Position--;
        return next;
    }

    public int ReadInt32() => BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)));

    public long ReadInt64() => BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(long)));

    public ulong ReadUInt64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(sizeof(ulong)));

    public float ReadSingle() => BinaryPrimitives.ReadSingleLittleEndian(Take(sizeof(float)));

    public double ReadDouble() => BinaryPrimitives.ReadDoubleLittleEndian(Take(sizeof(double)));

    /// <summary>A length or count. Like Valkey, accepts the encoding number of a string in place of a length.</summary>
    public ulong ReadLength()
    {
        byte first = ReadByte();
        return first < 0xC0 ? ReadLength(first) : first & 0x3FUL;
    }

    /// <summary>As <see cref="ReadLength()"/>; the maximum value for an unknown encoding, as in Valkey where no count is read.</summary>
    public ulong ReadLengthOrHighest()
    {
        byte first = ReadByte();
        return first is > LongLength and < 0xC0 ? ulong.MaxValue
            : first < 0xC0 ? ReadLength(first)
            : first & 0x3FUL;
    }

    /// <summary>The count of elements that take at least <paramref name="leastBytes"/> each; rejected if more than could follow.</summary>
    public long ReadCount(int leastBytes)
    {
        ulong count = ReadLength();
        return count <= (ulong)(Remaining / leastBytes) ? (long)count : throw Wrong($"{count} elements are announced, but fewer follow");
    }

    /// <summary>A string. The bytes are valid until the scratch is used again.</summary>
    public ReadOnlySpan<byte> ReadString(RdbScratch scratch)
    {
        byte first = ReadByte();
        switch (first)
        {
            case RdbString.Int8 or RdbString.Int16 or RdbString.Int32:
                return ReadNumber(first, scratch);
            case RdbString.Compressed:
                int original = BeginCompressed(out ReadOnlySpan<byte> compressed);
                Decompress(compressed, scratch.SetLength(original));
                return scratch.Written;
            default:
                return ReadPlain(CheckStringLength(first), scratch);
        }
    }

    /// <summary>The text of a number whose encoding byte has been read.</summary>
    public ReadOnlySpan<byte> ReadNumber(byte form, RdbScratch scratch) =>
        scratch.SetInteger(
            form switch
            {
                RdbString.Int8 => (sbyte)ReadByte(),
                RdbString.Int16 => BinaryPrimitives.ReadInt16LittleEndian(Take(sizeof(short))),
                _ => ReadInt32(),
            }
        );

    /// <summary>
    /// The encoding of the next string: below <see cref="RdbString.Int8"/> for a plain one of this length, whose bytes follow.
    /// </summary>
    public byte ReadStringForm(out int length)
    {
        byte first = ReadByte();
        length = first is RdbString.Int8 or RdbString.Int16 or RdbString.Int32 or RdbString.Compressed ? 0 : CheckStringLength(first);
        return first;
    }

    /// <summary>
    /// Reads the lengths and bytes of a compressed string whose first byte has been read; returns its decompressed length.
    /// </summary>
    public int BeginCompressed(out ReadOnlySpan<byte> compressed)
    {
        ulong compressedLength = ReadLength();
        ulong original = ReadLength();
        if (
            compressedLength > (ulong)Remaining
            || compressedLength > HybridLogStore.MaxStringBytes
            || original > HybridLogStore.MaxStringBytes
            || !LzfDecoder.IsPlausible((long)compressedLength, (long)original)
        )
        {
            throw Wrong("A compressed string's lengths are impossible");
        }

        compressed = ReadPlain((int)compressedLength, _compressed);
        return (int)original;
    }

    /// <summary>Decompresses a whole string.</summary>
    public readonly void Decompress(ReadOnlySpan<byte> compressed, Span<byte> output)
    {
        if (!LzfDecoder.TryDecode(compressed, output))
            throw Wrong("A compressed string is damaged");
    }

    /// <summary>From one to <paramref name="most"/> of the next bytes; valid until the next call.</summary>
    public ReadOnlySpan<byte> ReadPiece(int most)
    {
        if (Position == _window.Length)
            Refill(1);
        ReadOnlySpan<byte> piece = _window[Position..Math.Min(_window.Length, Position + most)];
        Position += piece.Length;
        return piece;
    }

    /// <summary>The next <paramref name="count"/> bytes; valid until the next call when read from a stream.</summary>
    public ReadOnlySpan<byte> Take(int count)
    {
        if (_window.Length - Position < count)
            Refill(count);
        ReadOnlySpan<byte> bytes = _window.Slice(Position, count);
        Position += count;
        return bytes;
    }

    // Bytes in memory are returned in place; those of a stream are collected as they arrive.
    private ReadOnlySpan<byte> ReadPlain(int length, RdbScratch scratch)
    {
        if (_input is null)
            return Take(length);
        scratch.Clear();
        while (scratch.Length < length)
            scratch.Add(ReadPiece(length - scratch.Length));
        return scratch.Written;
    }

    private int CheckStringLength(byte first)
    {
        if (first >= 0xC0)
            throw Wrong($"A string's encoding {first & 0x3F} is unknown");
        ulong length = ReadLength(first);
        if (length > HybridLogStore.MaxStringBytes)
            throw Wrong($"A string of {length} bytes is too long");
        return length <= (ulong)Remaining ? (int)length : throw Wrong($"A string of {length} bytes is announced, but less follows");
    }

    // 00xxxxxx; 01xxxxxx and a byte; 0x80 and 32 bits; 0x81 and 64 bits, all big endian.
    private ulong ReadLength(byte first) =>
        (first >> 6, first) switch
        {
            (0, _) => first,
            (1, _) => ((ulong)(first & 0x3F) << 8) | ReadByte(),
            (2, 0x80) => BinaryPrimitives.ReadUInt32BigEndian(Take(sizeof(uint))),
            (2, 0x81) => BinaryPrimitives.ReadUInt64BigEndian(Take(sizeof(ulong))),
            _ => throw Wrong($"A length's encoding {first} is unknown"),
        };

    private void Refill(int count)
    {
        if (_input is null)
            throw Wrong("The data ends early");
        System.Diagnostics.Debug.Assert(count <= MaxContiguous, "Only numbers are read contiguously from a stream.");
        _input.Position = Position;
        bool filled = _input.Fill(count);
        Adopt(_input);
        if (!filled)
            throw new RdbFormatException(_origin + _window.Length, "The data ends early");
    }

    private void Adopt(RdbInput input)
    {
        _window = input.Buffer.AsSpan(0, input.End);
        _origin = input.Origin;
        Position = input.Position;
    }
}
