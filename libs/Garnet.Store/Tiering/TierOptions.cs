// The settings of a tier. Immutable.
namespace Garnet.Store.Tiering;

/// <summary>Sizes; those that are no options of the server are smaller in tests.</summary>
internal sealed record TierOptions
{
    /// <summary>What the values on disk may take, in bytes; whole segments are used.</summary>
    public required long MaxBytes { get; init; }

    /// <summary>Shorter values stay in memory.</summary>
    public int MinValueBytes { get; init; } = 64;

    /// <summary>Longer values stay in memory.</summary>
    public int MaxValueBytes { get; init; } = 8 << 20;

    /// <summary>The unit in which space is reused.</summary>
    public int SegmentBytes { get; init; } = 16 << 20;

    /// <summary>What is written at once, at most.</summary>
    public int BufferBytes { get; init; } = 1 << 20;

    /// <summary>How many buffers there may be: one that is filled and others that are written.</summary>
    public int Buffers { get; init; } = 8;

    /// <summary>Seconds after which a read that has not come back is an error.</summary>
    public int ReadTimeoutSeconds { get; init; } = 10;
}
