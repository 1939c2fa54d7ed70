// Options of values. Filled by one thread, then only read.
namespace Garnet.Bench.Options;

/// <summary>How large values are, and what they hold.</summary>
internal sealed class ValueOptions
{
    /// <summary>Size of all values in bytes, unless one of the others is set.</summary>
    public int Size { get; set; } = 32;

    /// <summary>Smallest and largest size, all sizes between alike; null for none.</summary>
    public (int Smallest, int Largest)? Range { get; set; }

    /// <summary>Sizes and their weights; null for none.</summary>
    public IReadOnlyList<(int Size, int Weight)>? Weights { get; set; }

    /// <summary>Whether the size grows with the key's number instead of being drawn.</summary>
    public bool IsSizedByKey { get; set; }

    /// <summary>Whether each value's bytes differ.</summary>
    public bool IsRandom { get; set; }

    /// <summary>Whether values read are compared with those written.</summary>
    public bool IsVerified { get; set; }

    /// <summary>The largest size that may occur.</summary>
    public int Largest => Range?.Largest ?? Weights?.Max(static weight => weight.Size) ?? Size;
}
