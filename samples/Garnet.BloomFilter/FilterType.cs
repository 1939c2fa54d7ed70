// The value of a Bloom filter. Stateless; any thread.
using System.Buffers.Binary;
using Garnet.Modules;

namespace Garnet.BloomFilter;

/// <summary>The number of hashes in one byte, then the bits. Files have the same form, so whatever is loaded is checked.</summary>
public sealed class FilterType : ModuleType, IModuleType<FilterType>
{
    private const int MaxHashes = 64;
    private const int MaxBytes = 64 << 20;

    private FilterType()
        : base("bloom-001") { }

    public static FilterType Instance { get; } = new();

    /// <summary>An empty filter; null when the arguments are out of range.</summary>
    public static byte[]? TryCreate(double errorRate, long capacity)
    {
        if (!(errorRate > 0) || errorRate >= 1 || capacity < 1)
            return null;
        double bits = -capacity * Math.Log(errorRate) / (Math.Log(2) * Math.Log(2));
        if (bits / 8 > MaxBytes)
            return null;
        byte[] payload = new byte[1 + (int)Math.Ceiling(bits / 8)];
        payload[0] = (byte)Math.Clamp(Math.Round(-Math.Log2(errorRate)), 1, MaxHashes);
        return payload;
    }

    /// <summary>Whether all bits of an item are set.</summary>
    public static bool Contains(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> item)
    {
        (ulong position, ulong step) = HashesOf(item);
        ulong bits = (ulong)(payload.Length - 1) * 8;
        for (int i = 0; i < payload[0]; i++, position += step)
        {
            int bit = (int)(position % bits);
            if ((payload[1 + (bit >> 3)] & (1 << (bit & 7))) == 0)
                return false;
        }

        return true;
    }

    /// <summary>Sets all bits of an item.</summary>
    public static void Add(Span<byte> payload, ReadOnlySpan<byte> item)
    {
        (ulong position, ulong step) = HashesOf(item);
        ulong bits = (ulong)(payload.Length - 1) * 8;
        for (int i = 0; i < payload[0]; i++, position += step)
        {
            int bit = (int)(position % bits);
            payload[1 + (bit >> 3)] |= (byte)(1 << (bit & 7));
        }
    }

    protected override bool IsValid(ReadOnlySpan<byte> payload) =>
        payload.Length is > 1 and <= MaxBytes + 1 && payload[0] is >= 1 and <= MaxHashes;

    // Two hashes give all others (A. Kirsch and M. Mitzenmacher, 2006). FNV-1a over words, finished as in SplitMix64.
    private static (ulong First, ulong Step) HashesOf(ReadOnlySpan<byte> item)
    {
        ulong hash = 0xCBF29CE484222325 ^ (ulong)item.Length;
        for (; item.Length >= 8; item = item[8..])
            hash = (hash ^ BinaryPrimitives.ReadUInt64LittleEndian(item)) * 0x100000001B3 ^ hash >> 29;
        foreach (byte each in item)
            hash = (hash ^ each) * 0x100000001B3;
        return (Mix(hash), Mix(hash + 0x9E3779B97F4A7C15) | 1);
    }

    private static ulong Mix(ulong hash)
    {
        hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
        hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
        return hash ^ (hash >> 31);
    }
}
