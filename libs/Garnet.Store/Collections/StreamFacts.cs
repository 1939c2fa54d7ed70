// What a stream knows beside its entries: counters, groups, consumers. Pure functions of the bytes, which are the first entry of its tree.
using System.Buffers.Binary;

namespace Garnet.Store;

/// <summary>
/// The ID 0-0, which no entry has; the greatest deleted ID; entries ever added less those there now (8 bytes); the next number of a group or consumer and the number of groups (4 each).
/// Then the groups: bytes of all of it, number (4 each), last delivered ID, entries read (8), pending, consumers, bytes of the name (4 each), the name, the consumers.
/// A consumer: bytes of all of it, number (4 each), time seen, time active (8 each), pending, bytes of the name (4 each), the name.
/// </summary>
internal static class StreamFacts
{
    public const int Bytes = 48;
    public const int GroupBytes = 44;
    public const int ConsumerBytes = 32;
    private const int MaxDeletedAt = 16;
    private const int RemovedAt = 32;
    private const int NextNumberAt = 40;
    private const int GroupsAt = 44;

    public static StreamId MaxDeleted(ReadOnlySpan<byte> facts) => StreamNode.IdIn(facts[MaxDeletedAt..]);

    public static long Removed(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt64LittleEndian(facts[RemovedAt..]);

    public static int NextNumber(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt32LittleEndian(facts[NextNumberAt..]);

    public static int Groups(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt32LittleEndian(facts[GroupsAt..]);

    public static void WriteDeleted(Span<byte> facts, StreamId maxDeleted, long removed)
    {
        WriteId(facts[MaxDeletedAt..], maxDeleted);
        BinaryPrimitives.WriteInt64LittleEndian(facts[RemovedAt..], removed);
    }

    public static void WriteCounts(Span<byte> facts, int nextNumber, int groups)
    {
        BinaryPrimitives.WriteInt32LittleEndian(facts[NextNumberAt..], nextNumber);
        BinaryPrimitives.WriteInt32LittleEndian(facts[GroupsAt..], groups);
    }

    public static void WriteId(Span<byte> place, StreamId id)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(place, id.Milliseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(place[8..], id.Sequence);
    }

    /// <summary>Where the group of a name starts, -1 when there is none.</summary>
    public static int FindGroup(ReadOnlySpan<byte> facts, ReadOnlySpan<byte> name)
    {
        for (int offset = Bytes; offset < facts.Length; offset += Size(facts, offset))
        {
            if (new StreamGroup(facts, offset).Name.SequenceEqual(name))
            {
                return offset;
            }
        }

        return -1;
    }

    /// <summary>Where the consumer of a name starts, -1 when the group has none.</summary>
    public static int FindConsumer(ReadOnlySpan<byte> facts, int group, ReadOnlySpan<byte> name)
    {
        int end = group + Size(facts, group);
        for (int offset = FirstConsumer(facts, group); offset < end; offset += Size(facts, offset))
        {
            if (new StreamConsumer(facts, offset).Name.SequenceEqual(name))
            {
                return offset;
            }
        }

        return -1;
    }

    /// <summary>Where the consumer of a number starts, -1 when the group has none.</summary>
    public static int FindConsumer(ReadOnlySpan<byte> facts, int group, int number)
    {
        int end = group + Size(facts, group);
        for (int offset = FirstConsumer(facts, group); offset < end; offset += Size(facts, offset))
        {
            if (Number(facts, offset) == number)
            {
                return offset;
            }
        }

        return -1;
    }

    public static int FirstConsumer(ReadOnlySpan<byte> facts, int group) => group + GroupBytes + Int(facts, group + 40);

    /// <summary>Bytes of the group or consumer at an offset.</summary>
    public static int Size(ReadOnlySpan<byte> facts, int offset) => Int(facts, offset);

    /// <summary>The number of the group or consumer at an offset.</summary>
    public static int Number(ReadOnlySpan<byte> facts, int offset) => Int(facts, offset + 4);

    public static int Int(ReadOnlySpan<byte> facts, int offset) => BinaryPrimitives.ReadInt32LittleEndian(facts[offset..]);

    public static long Long(ReadOnlySpan<byte> facts, int offset) => BinaryPrimitives.ReadInt64LittleEndian(facts[offset..]);

    /// <summary>Adds to a 32-bit number.</summary>
    public static void Add(Span<byte> facts, int offset, int difference)
        => BinaryPrimitives.WriteInt32LittleEndian(facts[offset..], Int(facts, offset) + difference);

    public static void WriteGroup(Span<byte> place, int number, ReadOnlySpan<byte> name, StreamId lastId, long entriesRead)
    {
        BinaryPrimitives.WriteInt32LittleEndian(place, GroupBytes + name.Length);
        BinaryPrimitives.WriteInt32LittleEndian(place[4..], number);
        WriteId(place[8..], lastId);
        BinaryPrimitives.WriteInt64LittleEndian(place[24..], entriesRead);
        BinaryPrimitives.WriteInt64LittleEndian(place[32..], 0);
        BinaryPrimitives.WriteInt32LittleEndian(place[40..], name.Length);
        name.CopyTo(place[GroupBytes..]);
    }

    public static void WriteConsumer(Span<byte> place, int number, ReadOnlySpan<byte> name, long seenMs, long activeMs)
    {
        BinaryPrimitives.WriteInt32LittleEndian(place, ConsumerBytes + name.Length);
        BinaryPrimitives.WriteInt32LittleEndian(place[4..], number);
        BinaryPrimitives.WriteInt64LittleEndian(place[8..], seenMs);
        BinaryPrimitives.WriteInt64LittleEndian(place[16..], activeMs);
        BinaryPrimitives.WriteInt32LittleEndian(place[24..], 0);
        BinaryPrimitives.WriteInt32LittleEndian(place[28..], name.Length);
        name.CopyTo(place[ConsumerBytes..]);
    }
}
