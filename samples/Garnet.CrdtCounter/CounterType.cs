// The value of a counter that several servers change. Stateless; any thread.
using System.Buffers.Binary;
using Garnet.Modules;

namespace Garnet.CrdtCounter;

/// <summary>
/// For each node, in ascending order: its number, what it has added, and what it has subtracted, as eight bytes each. The greater of two
/// numbers is the later one, so values can be merged in any order and any number of times (a PN-counter; M. Shapiro et al., 2011).
/// </summary>
public sealed class CounterType : ModuleType, IModuleType<CounterType>
{
    private const int EntryBytes = 24;
    private const int MaxNodes = 1000;

    private CounterType()
        : base("crdt-pn01") { }

    public static CounterType Instance { get; } = new();

    /// <summary>Whether bytes are the value of a counter.</summary>
    public static bool IsCounter(ReadOnlySpan<byte> payload)
    {
        if (payload.Length % EntryBytes != 0 || payload.Length > MaxNodes * EntryBytes)
            return false;
        for (int at = 0; at < payload.Length; at += EntryBytes)
        {
            if (at > 0 && Read(payload, at) <= Read(payload, at - EntryBytes))
                return false;
        }

        return true;
    }

    /// <summary>The sum over all nodes, at most a 64-bit integer's range.</summary>
    public static long ValueOf(ReadOnlySpan<byte> payload)
    {
        Int128 sum = 0;
        for (int at = 0; at < payload.Length; at += EntryBytes)
            sum += (Int128)Read(payload, at + 8) - Read(payload, at + 16);
        return (long)Int128.Clamp(sum, long.MinValue, long.MaxValue);
    }

    /// <summary>What one node has contributed, in the form of a value; null when the addition exceeds what is counted.</summary>
    public static byte[]? Add(ReadOnlySpan<byte> payload, ulong node, long amount)
    {
        byte[] entry = new byte[EntryBytes];
        BinaryPrimitives.WriteUInt64BigEndian(entry, node);
        for (int at = 0; at < payload.Length; at += EntryBytes)
        {
            if (Read(payload, at) == node)
                payload.Slice(at, EntryBytes).CopyTo(entry);
        }

        int changed = amount >= 0 ? 8 : 16;
        UInt128 sum = (UInt128)Read(entry, changed) + (amount >= 0 ? (ulong)amount : (ulong)-(Int128)amount);
        BinaryPrimitives.WriteUInt64BigEndian(entry.AsSpan(changed), unchecked((ulong)sum));
        return sum > ulong.MaxValue ? null : entry;
    }

    /// <summary>Two values of one counter as one; null when they have too many nodes.</summary>
    public static byte[]? Merge(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        byte[] merged = new byte[left.Length + right.Length];
        int length = 0;
        while (left.Length > 0 || right.Length > 0)
        {
            ulong node = Math.Min(NodeOf(left), NodeOf(right));
            Span<byte> entry = merged.AsSpan(length, EntryBytes);
            BinaryPrimitives.WriteUInt64BigEndian(entry, node);
            Take(ref left, node, entry);
            Take(ref right, node, entry);
            length += EntryBytes;
        }

        return length > MaxNodes * EntryBytes ? null : merged[..length];
    }

    protected override bool IsValid(ReadOnlySpan<byte> payload) => IsCounter(payload);

    // Where one side has ended, the other decides; a node may have the greatest number.
    private static ulong NodeOf(ReadOnlySpan<byte> rest) => rest.Length == 0 ? ulong.MaxValue : Read(rest, 0);

    private static void Take(ref ReadOnlySpan<byte> rest, ulong node, Span<byte> entry)
    {
        if (rest.Length == 0 || Read(rest, 0) != node)
            return;
        for (int at = 8; at < EntryBytes; at += 8)
            BinaryPrimitives.WriteUInt64BigEndian(entry[at..], Math.Max(Read(entry, at), Read(rest, at)));
        rest = rest[EntryBytes..];
    }

    private static ulong Read(ReadOnlySpan<byte> payload, int at) => BinaryPrimitives.ReadUInt64BigEndian(payload[at..]);
}
