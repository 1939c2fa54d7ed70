// What became of a save. Immutable.
namespace Garnet.Persistence.Snapshots;

/// <summary>The end of one save.</summary>
public sealed class SaveOutcome
{
    /// <summary>What had been asked for.</summary>
    public required SaveRequest Order { get; init; }

    /// <summary>How it ended.</summary>
    public required SaveResult Result { get; init; }

    /// <summary>What went wrong; null unless it failed.</summary>
    public string? Error { get; init; }

    /// <summary>Keys in the file.</summary>
    public long Keys { get; init; }

    /// <summary>Bytes of the file.</summary>
    public long Bytes { get; init; }

    /// <summary>From the flip to the end.</summary>
    public TimeSpan Duration { get; init; }

    /// <summary>How long the barrier at the flip kept commands waiting.</summary>
    public TimeSpan FlipTime { get; init; }

    /// <summary>Most memory that old images took at once.</summary>
    public long PeakImageBytes { get; init; }

    /// <summary>The store's count of changes at the flip.</summary>
    public long ChangesAtFlip { get; init; }

    /// <summary>What <see cref="SaveRequest.AtFlip"/> gave.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; init; } = [];
}
