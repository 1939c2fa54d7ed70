// What to save and where. Immutable.
using Garnet.Persistence.Rdb;

namespace Garnet.Persistence.Snapshots;

/// <summary>A request for one snapshot.</summary>
internal sealed class SaveRequest
{
    /// <summary>The snapshot's file; it is replaced atomically when the snapshot is complete and durable. Unused with a target.</summary>
    public required string Path { get; init; }

    /// <summary>
    /// Opens what the snapshot is written to instead of a file; given a function that tells how full the buffer of old images is, from 0
    /// to 1. Null for the file.
    /// </summary>
    public Func<Func<double>, ISnapshotTarget>? OpenTarget { get; init; }

    /// <summary>The format's version. A file's is corrected when its content requires a later one; any other snapshot then fails.</summary>
    public int Version { get; init; } = RdbWriter.UsualVersion;

    /// <summary>Whether strings are compressed where that makes them shorter.</summary>
    public bool Compress { get; init; }

    /// <summary>Whether the file ends with a checksum.</summary>
    public bool HasChecksum { get; init; } = true;

    /// <summary>Whether it has the keys.</summary>
    public bool HasData { get; init; } = true;

    /// <summary>What it has beside the keys, asked at the flip; null for nothing.</summary>
    public ISavedBeside? Beside { get; init; }

    /// <summary>
    /// Whether effects will follow it: those on a key that it has left out, because the disk has lost its value, would meet nothing.
    /// </summary>
    public bool IsContinued { get; init; }

    /// <summary>True to save as fast as possible whatever the pace is set to, because a client waits for it.</summary>
    public bool IsUrgent { get; init; }

    /// <summary>
    /// True if there is an append-only log, which may be on the same device: its syncs must not wait while the old file is deleted.
    /// </summary>
    public bool IsBesideLog { get; init; }

    /// <summary>
    /// Called at the exact point in time of the snapshot, while no command is running; returns further properties for the file's header, or
    /// null.
    /// </summary>
    public Func<IReadOnlyList<KeyValuePair<string, string>>?>? AtFlip { get; init; }

    /// <summary>The lock on writing the file, released when the save has ended; null when it needs none.</summary>
    public IDisposable? Lease { get; init; }

    /// <summary>Any object that the requester wants to find in the outcome.</summary>
    public object? Tag { get; init; }
}
