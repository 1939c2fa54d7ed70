// Creates the payloads of DUMP. Keeps its buffers; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Packed;
using Garnet.Persistence.Rdb.Values;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// Writes a value by itself: its type, the value as in a file, the format's version (2 bytes, little endian), the checksum of all of it.
/// Version 10 is written, which Redis since 7.0 and every Valkey restores; 11 for streams with a consumer that was seen after it was last
/// active; 80 for hashes with expiring fields.
/// </summary>
internal sealed class RdbPayloadWriter
{
    /// <summary>Maximum length of a score's text.</summary>
    public const int MaxScoreText = 32;

    /// <summary>Version and checksum.</summary>
    internal const int FooterBytes = 10;

    private const int KeptBytes = 256 * 1024;

    // The first version with RdbType.Stream3.
    private const int FirstActivityVersion = 11;
    private readonly RdbWriter _writer;
    private readonly PackedWriter _packed;
    private readonly RdbPayloadBuffer _buffer = new();

    /// <summary>Makes a writer; <paramref name="compress"/> as <see cref="RdbWriterOptions.Compress"/>.</summary>
    public RdbPayloadWriter(bool compress, ScoreFormatter formatScore)
    {
        _writer = new RdbWriter(_buffer, new RdbWriterOptions { Compress = compress });
        _packed = new PackedWriter(formatScore);
    }

    /// <summary>The last payload; valid until the next one is created.</summary>
    public ReadOnlySpan<byte> Written => _buffer.Written;

    /// <summary>The payload of a string; valid until the next call.</summary>
    public ReadOnlySpan<byte> EncodeString(ReadOnlySpan<byte> value)
    {
        Begin(RdbType.String);
        _writer.WriteString(value);
        return End(RdbWriter.UsualVersion);
    }

    /// <summary>The payload of a collection, packed if Valkey packs it; valid until the next call.</summary>
    public ReadOnlySpan<byte> EncodeCollection(scoped ref CollectionImage collection)
    {
        if (RdbForms.Packed(collection) is { } packed)
        {
            Begin(packed);
            _packed.Write(_writer, ref collection);
            return End(RdbWriter.UsualVersion);
        }

        Begin(RdbForms.Plain(collection));
        _writer.BeginElements(collection);
        _writer.WriteElements(ref collection, int.MaxValue);
        return End(_writer.NeedsValkeyVersion ? RdbWriter.FirstValkeyVersion : RdbWriter.UsualVersion);
    }

    /// <summary>The payload of a stream; valid until the next call.</summary>
    public ReadOnlySpan<byte> EncodeStream(StreamView stream)
    {
        bool needsActivity = RdbStreamWriter.NeedsActivity(stream);
        Begin(needsActivity ? RdbType.Stream3 : RdbType.Stream2);
        _writer.WriteStream(stream, breathe: null, needsActivity);
        return End(needsActivity ? FirstActivityVersion : RdbWriter.UsualVersion);
    }

    /// <summary>The content of an intact payload of another version whose types all versions know; valid until the next call.</summary>
    public ReadOnlySpan<byte> Renumber(ReadOnlySpan<byte> payload)
    {
        ReadOnlySpan<byte> body = payload[..^FooterBytes];
        Begin((RdbType)body[0]);
        _writer.WriteRaw(body[1..]);
        return End(RdbWriter.UsualVersion);
    }

    /// <summary>The payload of a custom type's value; valid until the next call.</summary>
    public ReadOnlySpan<byte> EncodeCustom(CustomType type, ReadOnlySpan<byte> payload)
    {
        Begin(RdbType.Module);
        _writer.WriteCustom(type, payload);
        return End(RdbWriter.UsualVersion);
    }

    /// <summary>The payload of libraries of functions; valid until the next call.</summary>
    public ReadOnlySpan<byte> EncodeFunctions(IReadOnlyList<byte[]> libraries)
    {
        _buffer.Clear(KeptBytes);
        foreach (byte[] library in libraries)
            _writer.WriteFunctions(library);
        return End(RdbWriter.UsualVersion);
    }

    private void Begin(RdbType type)
    {
        _buffer.Clear(KeptBytes);
        _writer.NeedsValkeyVersion = false;
        _writer.WriteByte((byte)type);
    }

    private ReadOnlySpan<byte> End(int version)
    {
        Span<byte> footer = stackalloc byte[sizeof(ushort)];
        BinaryPrimitives.WriteUInt16LittleEndian(footer, (ushort)version);
        _writer.WriteRaw(footer);
        RdbWriter.WriteChecksum(_buffer, Crc64.Append(0, _buffer.Written));
        return _buffer.Written;
    }
}
