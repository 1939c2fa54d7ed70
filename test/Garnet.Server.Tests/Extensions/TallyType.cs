// A sample data type: the count of numbers added, and their sum.
using System.Buffers.Binary;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Tests.Extensions;

/// <summary>Payload: count, sum, and a note of any length. Saved as two integers and a string.</summary>
internal sealed class TallyType(int version = 1) : CustomType("tally-001", version)
{
    public static readonly TallyType Instance = new();

    public static byte[] Format(long count, long sum, ReadOnlySpan<byte> note)
    {
        byte[] payload = new byte[(2 * sizeof(long)) + note.Length];
        BinaryPrimitives.WriteInt64LittleEndian(payload, count);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(sizeof(long)), sum);
        note.CopyTo(payload.AsSpan(2 * sizeof(long)));
        return payload;
    }

    public static (long Count, long Sum) Read(ReadOnlySpan<byte> payload) =>
        (BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadInt64LittleEndian(payload[sizeof(long)..]));

    public static ReadOnlySpan<byte> NoteOf(ReadOnlySpan<byte> payload) => payload[(2 * sizeof(long))..];

    public override void Save(ReadOnlySpan<byte> payload, ICustomValueWriter writer)
    {
        (long count, long sum) = Read(payload);
        writer.WriteUInt64((ulong)count);
        writer.WriteInt64(sum);
        writer.WriteString(NoteOf(payload));
    }

    public override byte[]? Load(ICustomValueReader reader, int version) =>
        reader.TryReadUInt64(out ulong count)
        && reader.TryReadInt64(out long sum)
        && reader.TryReadString(out ReadOnlySpan<byte> note)
        && count > 0
            ? Format((long)count, sum, note)
            : null;
}
