// Consecutive entries of a stream in one entry of its tree, corresponding to Valkey's node. Pure functions of the bytes.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// Sixteen bytes of ID, that of the first entry; then 32-bit numbers: live entries, deleted entries, size that Valkey's listpack would
/// have, fields of the first entry; then their names; then the entries: flags, the differences of the ID to the node's ID, then only the
/// values if the names are those of the first entry, otherwise the number of fields and names with values. A deleted entry stays until its
/// node is removed, as in Valkey, whose nodes decide what approximate trimming removes.
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

    /// <summary>Offset of the first entry.</summary>
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

    /// <summary>The ID of the entry at an offset, and the offset of its fields.</summary>
    public StreamId IdAt(int offset, out int fields)
    {
        StreamId id = Id;
        ulong milliseconds = (ulong)PackedEntries.ReadInteger(Bytes, offset + 1, out int next);
        return new StreamId(id.Milliseconds + milliseconds, id.Sequence + (ulong)PackedEntries.ReadInteger(Bytes, next, out fields));
    }

    /// <summary>The entry at an offset whose ID and offset of fields are known.</summary>
    public StreamEntry At(int offset, StreamId id, int fields)
    {
        if ((Bytes[offset] & HasSameFields) != 0)
            return new StreamEntry(id, Fields, Bytes, HeaderBytes, fields);

        int count = (int)PackedEntries.ReadInteger(Bytes, fields, out int first);
        return new StreamEntry(id, count, Bytes, -1, first);
    }

    /// <summary>Offset of the entry after the one at an offset.</summary>
    public int Next(int offset) => Next(offset, PackedEntries.Skip(Bytes, offset + 1, 2));

    /// <summary>Offset of the entry after the one at an offset, given the offset of its fields.</summary>
    public int Next(int offset, int fields) =>
        (Bytes[offset] & HasSameFields) != 0
            ? PackedEntries.Skip(Bytes, fields, Fields)
            : PackedEntries.Skip(Bytes, PackedEntries.Next(Bytes, fields), 2 * PackedEntries.ReadInteger(Bytes, fields));

    /// <summary>Offset of the entry with an ID, -1 when there is none; deleted entries are not found.</summary>
    public int Find(StreamId id)
    {
        for (int offset = First, fields; offset < Bytes.Length; offset = Next(offset, fields))
        {
            StreamId there = IdAt(offset, out fields);
            if (there >= id)
                return there == id && (Bytes[offset] & IsDeleted) == 0 ? offset : -1;
        }

        return -1;
    }

    /// <summary>The ID of the last entry, deleted or not.</summary>
    public StreamId LastId()
    {
        StreamId last = Id;
        for (int offset = First, fields; offset < Bytes.Length; offset = Next(offset, fields))
            last = IdAt(offset, out fields);

        return last;
    }
}
