// What --bigkeys and --memkeys know about a type of values. One thread.
namespace Garnet.Cli.Modes;

/// <summary>Counts the keys of a type.</summary>
/// <param name="name">The type, as TYPE names it.</param>
/// <param name="sizeCommand">Gives the size of a value; null for types of modules.</param>
/// <param name="unit">What the size counts.</param>
internal sealed class KeyKind(string name, string? sizeCommand, string unit)
{
    /// <summary>The type, as TYPE names it.</summary>
    public string Name { get; } = name;

    /// <summary>Gives the size of a value; null for types of modules.</summary>
    public string? SizeCommand { get; } = sizeCommand;

    /// <summary>What the size counts.</summary>
    public string Unit { get; } = unit;

    /// <summary>The keys so far.</summary>
    public long Count { get; private set; }

    /// <summary>The sum of their sizes.</summary>
    public long TotalSize { get; private set; }

    /// <summary>The largest size.</summary>
    public long BiggestSize { get; private set; }

    /// <summary>The key of that size; null before the first that has one.</summary>
    public byte[]? BiggestKey { get; private set; }

    /// <summary>Counts a key.</summary>
    /// <returns>Whether it is the biggest so far.</returns>
    public bool Add(ReadOnlySpan<byte> key, long size)
    {
        Count++;
        TotalSize += size;
        if (size <= BiggestSize)
            return false;
        BiggestSize = size;
        BiggestKey = key.ToArray();
        return true;
    }

    /// <summary>The types that servers are born with.</summary>
    public static IEnumerable<KeyKind> BuiltIn() =>
        [
            new("string", "STRLEN", "bytes"),
            new("list", "LLEN", "items"),
            new("set", "SCARD", "members"),
            new("hash", "HLEN", "fields"),
            new("zset", "ZCARD", "members"),
            new("stream", "XLEN", "entries"),
        ];
}
