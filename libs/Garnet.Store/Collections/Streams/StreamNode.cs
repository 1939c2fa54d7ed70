// Consecutive entries of a stream in one entry of its tree: Valkey's node. Pure functions of the bytes.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Sixteen bytes of ID, that of the first entry; then 32-bit numbers: live entries, deleted entries, bytes that Valkey's listpack would
/// take, fields of the first entry; then their names; then the entries: flags, the differences of the ID to the node's, then the values
/// where the names are those of the first, else the number of fields and names with values. A deleted entry stays until its node goes, as
/// in Valkey, whose nodes decide what approximate trimming removes.
/// </summary>
internal readonly ref struct StreamNode(ReadOnlySpan<byte> bytes)
{
    public const int HeaderBytes = 32;
    public const int IsDeleted = 1;
    public const int HasSameFields = 2;

    public ReadOnlySpan<byte> Bytes { get; } = bytes;

    public StreamId Id => IdIn(Bytes);

    public int Count => BinaryPrimitives.ReadInt32LittleEndian(Bytes[16..]);

    public int Deleted => BinaryPrimitives.ReadInt32LittleEndian(Bytes[20..]);

    public int ListPackBytes => BinaryPrimitives.ReadInt32LittleEndian(Bytes[24..]);

    public int Fields => BinaryPrimitives.ReadInt32LittleEndian(Bytes[28..]);

    /// <summary>Where the first entry starts.</summary>
    public int First => PackedEntries.Skip(Bytes, HeaderBytes, Fields);

    public static StreamId IdIn(ReadOnlySpan<byte> entry) =>
        new(BinaryPrimitives.ReadUInt64LittleEndian(entry), BinaryPrimitives.ReadUInt64LittleEndian(entry[8..]));

    public static void WriteHeader(Span<byte> node, StreamId id, int count, int deleted, int listPackBytes, int fields)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(node, id.Milliseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(node[8..], id.Sequence);
        BinaryPrimitives.WriteInt32LittleEndian(node[16..], count);
        BinaryPrimitives.WriteInt32LittleEndian(node[20..], deleted);
        BinaryPrimitives.WriteInt32LittleEndian(node[24..], listPackBytes);
        BinaryPrimitives.WriteInt32LittleEndian(node[28..], fields);
    }

    /// <summary>The ID of the entry at an offset.</summary>
    public StreamId IdAt(int offset) => IdAt(offset, out _);

    /// <summary>The ID of the entry at an offset, and where its fields start.</summary>
    public StreamId IdAt(int offset, out int fields)
    {
        StreamId id = Id;
        ulong milliseconds = (ulong)PackedEntries.ReadInteger(Bytes, offset + 1, out int next);
        return new StreamId(id.Milliseconds + milliseconds, id.Sequence + (ulong)PackedEntries.ReadInteger(Bytes, next, out fields));
    }

    /// <summary>The entry at an offset whose ID and the start of whose fields are known.</summary>
    public StreamEntry At(int offset, StreamId id, int fields)
    {
        if ((Bytes[offset] & HasSameFields) != 0)
        {
            return new StreamEntry(id, Fields, Bytes, HeaderBytes, fields);
        }

        int count = (int)PackedEntries.ReadInteger(Bytes, fields, out int first);
        return new StreamEntry(id, count, Bytes, -1, first);
    }

    /// <summary>Where the entry behind the one at an offset starts.</summary>
    public int Next(int offset) => Next(offset, PackedEntries.Skip(Bytes, offset + 1, 2));

    /// <summary>Where the entry behind the one at an offset starts, the start of whose fields is known.</summary>
    public int Next(int offset, int fields) =>
        (Bytes[offset] & HasSameFields) != 0
            ? PackedEntries.Skip(Bytes, fields, Fields)
            : PackedEntries.Skip(Bytes, PackedEntries.Next(Bytes, fields), 2 * PackedEntries.ReadInteger(Bytes, fields));

    /// <summary>Where the entry with an ID starts, -1 when there is none; deleted ones are not found.</summary>
    public int Find(StreamId id)
    {
        for (int offset = First, fields; offset < Bytes.Length; offset = Next(offset, fields))
        {
            StreamId there = IdAt(offset, out fields);
            if (there >= id)
            {
                return there == id && (Bytes[offset] & IsDeleted) == 0 ? offset : -1;
            }
        }

        return -1;
    }

    /// <summary>The ID of the last entry, deleted or not.</summary>
    public StreamId LastId()
    {
        StreamId last = Id;
        for (int offset = First, fields; offset < Bytes.Length; offset = Next(offset, fields))
        {
            last = IdAt(offset, out fields);
        }

        return last;
    }
}
