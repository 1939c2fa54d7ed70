// A stream's counters, stored as the first entry of its tree. Pure functions of the bytes.
using System.Buffers.Binary;

namespace Garnet.Store.Collections.Streams;

/// <summary>
/// The ID 0-0, which no entry has; the greatest deleted ID; then eight bytes each: entries ever added minus current entries, the last
/// number given to a group or consumer, number of groups, nodes counted by <see cref="RadixShape"/>.
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

    /// <summary>Allocates a number that no group or consumer has had.</summary>
    public static long TakeNumber(Span<byte> facts) => Add(facts[LastNumberAt..], 1);

    public static void AddGroups(Span<byte> facts, int difference) => Add(facts[GroupsAt..], difference);

    public static void AddRadixNodes(Span<byte> facts, int difference) => Add(facts[RadixNodesAt..], difference);

    public static void WriteId(Span<byte> target, StreamId id)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(target, id.Milliseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], id.Sequence);
    }

    /// <summary>Adds to an eight-byte counter.</summary>
    public static long Add(Span<byte> counter, long difference)
    {
        long sum = BinaryPrimitives.ReadInt64LittleEndian(counter) + difference;
        BinaryPrimitives.WriteInt64LittleEndian(counter, sum);
        return sum;
    }
}
