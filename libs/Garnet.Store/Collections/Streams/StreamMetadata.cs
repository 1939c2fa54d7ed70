// What a stream knows beside its entries: counters. Pure functions of the bytes, which are the first entry of its tree.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// The ID 0-0, which no entry has; the greatest deleted ID; then eight bytes each: entries ever added less those there now, the last number
/// given to a group or consumer, how many groups there are, nodes of <see cref="RadixShape"/>.
/// </summary>
internal static class StreamMetadata
{
    public const int Bytes = 64;
    private const int MaxDeletedAt = 16;
    private const int RemovedAt = 32;
    private const int LastNumberAt = 40;
    private const int GroupsAt = 48;
    private const int RadixNodesAt = 56;

    public static StreamId MaxDeleted(ReadOnlySpan<byte> facts) => StreamNode.IdIn(facts[MaxDeletedAt..]);

    public static long Removed(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt64LittleEndian(facts[RemovedAt..]);

    public static long Groups(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt64LittleEndian(facts[GroupsAt..]);

    public static long RadixNodes(ReadOnlySpan<byte> facts) => BinaryPrimitives.ReadInt64LittleEndian(facts[RadixNodesAt..]);

    public static void WriteDeleted(Span<byte> facts, StreamId maxDeleted, long removed)
    {
        WriteId(facts[MaxDeletedAt..], maxDeleted);
        BinaryPrimitives.WriteInt64LittleEndian(facts[RemovedAt..], removed);
    }

    /// <summary>A number that no group or consumer had.</summary>
    public static long TakeNumber(Span<byte> facts) => Add(facts[LastNumberAt..], 1);

    public static void AddGroups(Span<byte> facts, int difference) => Add(facts[GroupsAt..], difference);

    public static void AddRadixNodes(Span<byte> facts, int difference) => Add(facts[RadixNodesAt..], difference);

    public static void WriteId(Span<byte> place, StreamId id)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(place, id.Milliseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(place[8..], id.Sequence);
    }

    /// <summary>Adds to a number of eight bytes.</summary>
    public static long Add(Span<byte> place, long difference)
    {
        long sum = BinaryPrimitives.ReadInt64LittleEndian(place) + difference;
        BinaryPrimitives.WriteInt64LittleEndian(place, sum);
        return sum;
    }
}
