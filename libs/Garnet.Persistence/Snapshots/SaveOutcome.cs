// The result of a save. Immutable.
namespace Garnet.Persistence.Snapshots;

/// <summary>The result of one save.</summary>
internal sealed class SaveOutcome
{
    /// <summary>The request.</summary>
    public required SaveRequest Request { get; init; }

    /// <summary>How it ended.</summary>
    public required SaveResult Result { get; init; }

    /// <summary>The error message; null unless the save failed.</summary>
    public string? Error { get; init; }

    /// <summary>Keys in the file.</summary>
    public long Keys { get; init; }

    /// <summary>Bytes of the file.</summary>
    public long Bytes { get; init; }

    /// <summary>From the flip to the end.</summary>
    public TimeSpan Duration { get; init; }

    /// <summary>How long the barrier at the flip kept commands waiting.</summary>
    public TimeSpan FlipTime { get; init; }

    /// <summary>Peak memory of old images.</summary>
    public long PeakImageBytes { get; init; }

    /// <summary>The store's count of changes at the flip.</summary>
    public long ChangesAtFlip { get; init; }

    /// <summary>The result of <see cref="SaveRequest.AtFlip"/>.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Properties { get; init; } = [];
}
