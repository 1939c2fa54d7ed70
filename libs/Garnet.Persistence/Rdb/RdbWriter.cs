// Encodes keys and values for an RDB file. Does no I/O, computes no checksum, allocates nothing per key; one thread at a time.
using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using Garnet.Persistence.Rdb.Values;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;
using Garnet.Store.Records;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// Writes the parts of an RDB file, in call order, into the caller's buffer. A file is <see cref="WriteHeader"/>, properties, then for each
/// database <see cref="WriteSelect"/> and its keys (databases may come in any order and repeatedly), then <see cref="WriteEnd"/> and the
/// checksum over all of it.
/// </summary>
internal sealed class RdbWriter
{
    /// <summary>The version that Redis since 7.0 and every Valkey reads.</summary>
    public const int UsualVersion = 10;

    /// <summary>Valkey's first own version; its files begin with another magic.</summary>
    public const int FirstValkeyVersion = 80;

    /// <summary>The header of that version; as long as any other header.</summary>
    internal static ReadOnlySpan<byte> ValkeyOpening => "VALKEY080"u8;

    private const int MaxLengthBytes = 9;
    private const int MaxExpiryBytes = 9;
    private const int LongestUncompressed = 20;

    // The minimum that compression must save.
    private const int MinSaved = 4;
    private const int KeptCompressedBytes = 64 * 1024;

    // Strings up to this length are written with a single buffer request.
    private const int MaxInOne = 1024;

    private readonly IBufferWriter<byte> _output;
    private readonly int _version;
    private readonly bool _compress;
    private readonly LzfCompressor _compressor = new();
    private byte[] _compressed = [];
    private RdbStreamWriter? _streams;
    private RdbListWriter? _lists;

    /// <summary>Creates a writer into a buffer.</summary>
    public RdbWriter(IBufferWriter<byte> output, RdbWriterOptions options)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(options);
        _output = output;
        _version = options.Version;
        _compress = options.Compress;
    }

    /// <summary>Maximum number of bytes that <see cref="WriteStringKey"/> writes.</summary>
    public static long MaxBytes(int keyLength, int valueLength) => MaxExpiryBytes + 1L + (2 * MaxLengthBytes) + keyLength + valueLength;

    /// <summary>The magic and the version at the beginning of a file.</summary>
    public void WriteHeader()
    {
        if (_version >= FirstValkeyVersion)
            WriteRaw("VALKEY"u8);
        else
            WriteRaw("REDIS0"u8);
        Span<byte> digits = _output.GetSpan(3);
        digits[0] = (byte)('0' + (_version / 100 % 10));
        digits[1] = (byte)('0' + (_version / 10 % 10));
        digits[2] = (byte)('0' + (_version % 10));
        _output.Advance(3);
    }

    /// <summary>A named property of the file; readers skip those they do not know.</summary>
    public void WriteAux(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        WriteByte(RdbOpcode.Aux);
        WriteString(name);
        WriteString(value);
    }

    /// <summary>A named property that is a number.</summary>
    public void WriteAux(ReadOnlySpan<byte> name, long value)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(value, digits, out int length);
        WriteAux(name, digits[..length]);
    }

    /// <summary>
    /// The sliding expiry of the next key. Formally a property of the file, so that other servers skip it and read the key with its
    /// remaining time to live.
    /// </summary>
    public void WriteSliding(in SlidingExpiry sliding)
    {
        Span<byte> text = stackalloc byte[RdbSliding.MaxBytes];
        WriteAux(RdbSliding.Name, text[..RdbSliding.Format(sliding, text)]);
    }

    /// <summary>The source of a library of functions; libraries come before all keys.</summary>
    public void WriteFunctions(ReadOnlySpan<byte> library)
    {
        WriteByte(RdbOpcode.Function);
        WriteString(library);
    }

    /// <summary>Names the logical database of the keys that follow.</summary>
    public void WriteSelect(int database)
    {
        WriteByte(RdbOpcode.Select);
        WriteLength((ulong)database);
    }

    /// <summary>The number of keys that follow in this database, as a hint to readers.</summary>
    public void WriteResize(long keys, long expiringKeys)
    {
        WriteByte(RdbOpcode.Resize);
        WriteLength((ulong)keys);
        WriteLength((ulong)expiringKeys);
    }

    /// <summary>The idle time of the next key in seconds.</summary>
    public void WriteIdle(long seconds)
    {
        WriteByte(RdbOpcode.Idle);
        WriteLength((ulong)seconds);
    }

    /// <summary>The access frequency of the next key.</summary>
    public void WriteFrequency(byte frequency)
    {
        Span<byte> span = _output.GetSpan(2);
        span[0] = RdbOpcode.Frequency;
        span[1] = frequency;
        _output.Advance(2);
    }

    /// <summary>A key with a string; <paramref name="expiresAtMs"/> in Unix milliseconds, -1 for none.</summary>
    public void WriteStringKey(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long expiresAtMs)
    {
        if (key.Length + value.Length <= MaxInOne && value.Length > RdbString.MaxIntegerText && !Compresses(value.Length))
        {
            WriteShort(key, value, expiresAtMs);
            return;
        }

        BeginKey(RdbType.String, key, expiresAtMs);
        WriteString(value);
    }

    /// <summary>Whether a string of this length would be compressed if that makes it shorter.</summary>
    public bool Compresses(int length) => _compress && length > LongestUncompressed;

    /// <summary>
    /// A key with a string that is added by <see cref="WriteRaw"/> in pieces, exactly <paramref name="length"/> bytes; it is not
    /// compressed.
    /// </summary>
    public void BeginLargeString(ReadOnlySpan<byte> key, long length, long expiresAtMs)
    {
        BeginKey(RdbType.String, key, expiresAtMs);
        WriteLength((ulong)length);
    }

    /// <summary>
    /// A key with a collection, whose elements follow by <see cref="WriteElements"/>. A hash with an expiring field needs version
    /// <see cref="FirstValkeyVersion"/>: <see cref="NeedsValkeyVersion"/> is true afterwards.
    /// </summary>
    public void BeginCollection(ReadOnlySpan<byte> key, in CollectionImage collection, long expiresAtMs)
    {
        BeginKey(RdbForms.Plain(collection), key, expiresAtMs);
        BeginElements(collection);
    }

    /// <summary>
    /// Writes at most <paramref name="most"/> of a collection's next elements, for a list up to the end of a node; false when there are no
    /// more.
    /// </summary>
    public bool WriteElements(scoped ref CollectionImage collection, int most)
    {
        if (collection.IsOrdered)
            return (_lists ??= new RdbListWriter()).WriteNodes(this, ref collection, most);
        if (collection.Count <= most && collection.TryGetRun(out PackedRun all))
        {
            foreach (PackedElement element in all)
                WriteString(element);
            return false;
        }

        bool hasExpiries = collection.ExpiringFields > 0;
        for (; most > 0; most--)
        {
            if (!collection.MoveNext())
                return false;
            WriteString(collection.First);
            if (collection.HasScores)
                WriteDouble(collection.Score);
            if (collection.HasSeconds)
                WriteString(collection.Second);
            if (hasExpiries)
                WriteInt64(collection.ExpiresAtMs);
        }

        return true;
    }

    /// <summary>A key with a value of a custom type.</summary>
    public void WriteCustomKey(ReadOnlySpan<byte> key, CustomType type, ReadOnlySpan<byte> payload, long expiresAtMs)
    {
        BeginKey(RdbType.Module, key, expiresAtMs);
        WriteCustom(type, payload);
    }

    /// <summary>A key with a stream; <paramref name="breathe"/> is called between small steps.</summary>
    public void WriteStreamKey(ReadOnlySpan<byte> key, StreamView stream, long expiresAtMs, Action? breathe)
    {
        if (RdbStreamWriter.NeedsActivity(stream))
            WriteAux(RdbActivity.Name, RdbActivity.Format(stream));
        BeginKey(RdbType.Stream2, key, expiresAtMs);
        WriteStream(stream, breathe, withActivity: false);
    }

    /// <summary>True when something was written that requires Valkey's version.</summary>
    public bool NeedsValkeyVersion { get; internal set; }

    /// <summary>Expiry, type and key; the value follows in the type's format.</summary>
    public void BeginKey(RdbType type, ReadOnlySpan<byte> key, long expiresAtMs)
    {
        Span<byte> span = _output.GetSpan(MaxExpiryBytes + 1);
        _output.Advance(FormatOpening(span, type, expiresAtMs));
        WriteString(key);
    }

    /// <summary>A length or count.</summary>
    public void WriteLength(ulong length)
    {
        Span<byte> span = _output.GetSpan(MaxLengthBytes);
        _output.Advance(FormatLength(span, length));
    }

    /// <summary>A string: as an integer if it is the text of a 32-bit one, compressed if that is shorter, else plain.</summary>
    public void WriteString(ReadOnlySpan<byte> value)
    {
        if (value.Length <= RdbString.MaxIntegerText && PackedElement.TryReadInteger(value, out long integer) && integer == (int)integer)
            WriteInteger((int)integer);
        else if (!Compresses(value.Length) || !TryWriteCompressed(value))
            WritePlainString(value);
    }

    /// <summary>An element, encoded like <see cref="WriteString(ReadOnlySpan{byte})"/> encodes its text.</summary>
    public void WriteString(in PackedElement element)
    {
        if (element.IsInteger && element.Integer == (int)element.Integer)
            WriteInteger((int)element.Integer);
        else
            WriteString(element.Span);
    }

    /// <summary>A number as binary64, little endian.</summary>
    public void WriteDouble(double value)
    {
        BinaryPrimitives.WriteDoubleLittleEndian(_output.GetSpan(sizeof(double)), value);
        _output.Advance(sizeof(double));
    }

    /// <summary>A time or expiry as 8 bytes, little endian.</summary>
    public void WriteInt64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_output.GetSpan(sizeof(long)), value);
        _output.Advance(sizeof(long));
    }

    /// <summary>Raw bytes.</summary>
    public void WriteRaw(ReadOnlySpan<byte> bytes) => _output.Write(bytes);

    /// <summary>The end opcode. The checksum of everything up to and including it follows.</summary>
    public void WriteEnd() => WriteByte(RdbOpcode.End);

    /// <summary>The checksum that ends a file.</summary>
    public static void WriteChecksum(IBufferWriter<byte> output, ulong crc)
    {
        ArgumentNullException.ThrowIfNull(output);
        BinaryPrimitives.WriteUInt64LittleEndian(output.GetSpan(sizeof(ulong)), crc);
        output.Advance(sizeof(ulong));
    }

    /// <summary>The type byte at the beginning of a DUMP payload.</summary>
    internal void WriteByte(byte value)
    {
        _output.GetSpan(1)[0] = value;
        _output.Advance(1);
    }

    /// <summary>A custom type's ID and value.</summary>
    internal void WriteCustom(CustomType type, ReadOnlySpan<byte> payload) => new RdbCustomWriter(this).Write(type, payload);

    /// <summary>A stream's value.</summary>
    internal void WriteStream(StreamView stream, Action? breathe, bool withActivity) =>
        (_streams ??= new RdbStreamWriter()).Write(this, stream, breathe, withActivity);

    /// <summary>The number of elements, or of a list's nodes; these follow.</summary>
    internal void BeginElements(in CollectionImage collection)
    {
        NeedsValkeyVersion |= collection.ExpiringFields > 0;
        WriteLength((ulong)(collection.IsOrdered ? collection.Nodes : collection.Count));
    }

    // Two bits give the size of a length: 00 six bits; 01 fourteen, big endian; the bytes 0x80 and 0x81: 32 and 64 bits follow, big endian.
    private static int FormatLength(Span<byte> span, ulong length)
    {
        switch (length)
        {
            case < 1 << 6:
                span[0] = (byte)length;
                return 1;
            case < 1 << 14:
                BinaryPrimitives.WriteUInt16BigEndian(span, (ushort)(0x4000 | length));
                return 2;
            case <= uint.MaxValue:
                span[0] = 0x80;
                BinaryPrimitives.WriteUInt32BigEndian(span[1..], (uint)length);
                return 5;
            default:
                span[0] = 0x81;
                BinaryPrimitives.WriteUInt64BigEndian(span[1..], length);
                return 9;
        }
    }

    private static int FormatOpening(Span<byte> span, RdbType type, long expiresAtMs)
    {
        int written = 0;
        if (expiresAtMs >= 0)
        {
            span[0] = RdbOpcode.ExpiryMs;
            BinaryPrimitives.WriteInt64LittleEndian(span[1..], expiresAtMs);
            written = MaxExpiryBytes;
        }

        span[written] = (byte)type;
        return written + 1;
    }

    // The usual key, with a single buffer request.
    private void WriteShort(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, long expiresAtMs)
    {
        Span<byte> span = _output.GetSpan((int)MaxBytes(key.Length, value.Length));
        int written = FormatOpening(span, RdbType.String, expiresAtMs);
        if (key.Length <= RdbString.MaxIntegerText || Compresses(key.Length))
        {
            _output.Advance(written);
            WriteString(key);
            span = _output.GetSpan(MaxLengthBytes + value.Length);
            written = 0;
        }
        else
        {
            written += FormatLength(span[written..], (ulong)key.Length);
            key.CopyTo(span[written..]);
            written += key.Length;
        }

        written += FormatLength(span[written..], (ulong)value.Length);
        value.CopyTo(span[written..]);
        _output.Advance(written + value.Length);
    }

    private void WriteInteger(int value)
    {
        Span<byte> span = _output.GetSpan(5);
        if (value == (sbyte)value)
        {
            span[0] = RdbString.Int8;
            span[1] = (byte)value;
            _output.Advance(2);
        }
        else if (value == (short)value)
        {
            span[0] = RdbString.Int16;
            BinaryPrimitives.WriteInt16LittleEndian(span[1..], (short)value);
            _output.Advance(3);
        }
        else
        {
            span[0] = RdbString.Int32;
            BinaryPrimitives.WriteInt32LittleEndian(span[1..], value);
            _output.Advance(5);
        }
    }

    private void WritePlainString(ReadOnlySpan<byte> value)
    {
        Span<byte> span = _output.GetSpan(MaxLengthBytes + Math.Min(value.Length, MaxInOne));
        int written = FormatLength(span, (ulong)value.Length);
        if (value.Length <= MaxInOne)
        {
            value.CopyTo(span[written..]);
            _output.Advance(written + value.Length);
            return;
        }

        _output.Advance(written);
        WriteRaw(value);
    }

    private bool TryWriteCompressed(ReadOnlySpan<byte> value)
    {
        int most = value.Length - MinSaved;
        if (_compressed.Length < most)
            _compressed = GC.AllocateUninitializedArray<byte>(most <= KeptCompressedBytes ? KeptCompressedBytes : most);
        int length = _compressor.Compress(value, _compressed.AsSpan(0, most));
        if (length != 0)
        {
            WriteByte(RdbString.Compressed);
            WriteLength((ulong)length);
            WriteLength((ulong)value.Length);
            WriteRaw(_compressed.AsSpan(0, length));
        }

        if (_compressed.Length > KeptCompressedBytes)
            _compressed = [];
        return length != 0;
    }
}
