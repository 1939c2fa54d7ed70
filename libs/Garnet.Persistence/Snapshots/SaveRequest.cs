// What is to be saved where. Immutable.
namespace Garnet.Persistence.Snapshots;

/// <summary>One snapshot to be taken.</summary>
public sealed class SaveRequest
{
    /// <summary>The file that is to hold the snapshot; it is replaced in one step when the snapshot is complete and durable.</summary>
    public required string Path { get; init; }

    /// <summary>Whether strings are compressed where that makes them shorter.</summary>
    public bool IsCompressing { get; init; }

    /// <summary>Whether the file ends with a checksum.</summary>
    public bool HasChecksum { get; init; } = true;

    /// <summary>True to save as fast as possible whatever the pace is set to: somebody waits for it.</summary>
    public bool IsUrgent { get; init; }

    /// <summary>
    /// Run at the very point in time that the snapshot holds, while nobody is inside a command; gives further properties for the file's
    /// head, or null.
    /// </summary>
    public Func<IReadOnlyList<KeyValuePair<string, string>>?>? AtFlip { get; init; }

    /// <summary>The right to write the file, returned when the save has ended; null when it needs none.</summary>
    public IDisposable? Lease { get; init; }

    /// <summary>Anything the giver of the order wants to find again in the outcome.</summary>
    public object? Tag { get; init; }
}
