// Reads untrusted payloads of RESTORE. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Persistence.Rdb.Values;
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// Validates a payload, then holds its value until it is stored: <see cref="TryRead"/>, then <see cref="RdbRestoredValue.StoreTo"/> or
/// <see cref="RdbRestoredValue.Discard"/>.
/// </summary>
internal sealed class RdbPayloadReader
{
    private const int LastKnownVersion = 80;
    private readonly RdbValueReader _values = new();
    private readonly RdbScratch _compressed = new();

    /// <summary>
    /// Whether the version and checksum at a payload's end are valid. Versions of Redis from 7.4 on are accepted as far as their types are
    /// known, as in files; <paramref name="takesAnyVersion"/>: later ones of Valkey too. Without <paramref name="verifiesChecksum"/> only the
    /// version counts.
    /// </summary>
    public static bool IsIntact(ReadOnlySpan<byte> payload, bool takesAnyVersion = false, bool verifiesChecksum = true)
    {
        if (payload.Length < RdbPayloadWriter.FooterBytes)
            return false;
        ReadOnlySpan<byte> footer = payload[^RdbPayloadWriter.FooterBytes..];
        int version = VersionOf(payload);
        return (version is >= 1 and <= LastKnownVersion || (takesAnyVersion && version > 0))
            && (
                !verifiesChecksum
                || BinaryPrimitives.ReadUInt64LittleEndian(footer[sizeof(ushort)..]) == Crc64.Append(0, payload[..^sizeof(ulong)])
            );
    }

    /// <summary>The version at an intact payload's end.</summary>
    public static int VersionOf(ReadOnlySpan<byte> payload) =>
        BinaryPrimitives.ReadUInt16LittleEndian(payload[^RdbPayloadWriter.FooterBytes..]);

    /// <summary>
    /// The number of packed values (listpacks, intsets and stream nodes, as Valkey counts them) validated since the last call.
    /// </summary>
    public int TakeChecked() => _values.TakeChecked();

    /// <summary>Reads the value of an intact payload; false when it is invalid. The payload must outlive the value.</summary>
    public bool TryRead(StoreSession session, ReadOnlySpan<byte> payload, out RdbRestoredValue value)
    {
        value = default;
        ReadOnlySpan<byte> body = payload[..^RdbPayloadWriter.FooterBytes];
        if (body.IsEmpty)
            return false;
        _values.Version = BinaryPrimitives.ReadUInt16LittleEndian(payload[body.Length..]);
        // As in Valkey: a value longer than its payload's body reads into version and checksum.
        var source = new RdbSource(payload, 0, _compressed);
        try
        {
            var type = (RdbType)source.ReadByte();
            if (RdbValueReader.IsStream(type))
                return TryReadStream(session, ref source, type, out value);
            if (type == RdbType.Module)
                return TryReadCustom(session, ref source, out value);
            if (type != RdbType.String)
                return TryReadCollection(session, ref source, type, out value);
            value = new RdbRestoredValue(_values.ReadString(ref source));
            return true;
        }
        catch (RdbFormatException)
        {
            // The only place that knows the payload comes from a client: errors become replies, not exceptions.
            return false;
        }
    }

    /// <summary>Reads an intact payload of libraries of functions.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="add">Takes the source of the next library; returns an error, or null.</param>
    /// <returns>The first error, or null.</returns>
    public string? ReadFunctions(ReadOnlySpan<byte> payload, Func<byte[], string?> add)
    {
        var source = new RdbSource(payload, 0, _compressed);
        RdbScratch library = new();
        while (source.Remaining > RdbPayloadWriter.FooterBytes)
        {
            switch (source.ReadByte())
            {
                case RdbOpcode.Function:
                    break;
                case RdbOpcode.OldFunction:
                    return "Pre-GA function format not supported";
                default:
                    return "given type is not a function";
            }

            byte[] code;
            try
            {
                code = source.ReadString(library).ToArray();
            }
            catch (RdbFormatException)
            {
                return "Failed loading library payload";
            }

            if (add(code) is { } problem)
                return problem;
        }

        return null;
    }

    private static bool TryReadCustom(StoreSession session, scoped ref RdbSource source, out RdbRestoredValue value)
    {
        byte[] payload = RdbCustomReader.Read(ref source, session.Store.Types, out CustomType type);
        value = new RdbRestoredValue(type, payload);
        return true;
    }

    private bool TryReadStream(StoreSession session, scoped ref RdbSource source, RdbType type, out RdbRestoredValue value)
    {
        var sink = new RdbStreamSink(session);
        bool isComplete = false;
        try
        {
            _values.ReadStream(ref source, type, ref sink);
            isComplete = true;
        }
        finally
        {
            if (!isComplete)
                sink.Discard();
        }

        value = new RdbRestoredValue(sink);
        return true;
    }

    private bool TryReadCollection(StoreSession session, scoped ref RdbSource source, RdbType type, out RdbRestoredValue value)
    {
        var sink = new RdbStoreSink(session, dropsBeforeMs: long.MinValue);
        bool isComplete = false;
        try
        {
            isComplete = _values.ReadCollection(ref source, type, ref sink);
        }
        finally
        {
            if (!isComplete)
                sink.Discard();
        }

        value = isComplete ? new RdbRestoredValue(sink) : default;
        return isComplete;
    }
}
