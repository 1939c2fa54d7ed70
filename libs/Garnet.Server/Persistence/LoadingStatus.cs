// How far the loading of data has come. Written by the loading thread, read by any.
using Garnet.Persistence.Rdb;

namespace Garnet.Server.Persistence;

/// <summary>What INFO and the log tell while data is being loaded.</summary>
/// <param name="startedSeconds">Unix seconds of the start.</param>
public sealed class LoadingStatus(long startedSeconds)
{
    private long _totalBytes;
    private long _loadedBytes;

    /// <summary>Unix seconds of the start.</summary>
    public long StartedSeconds => startedSeconds;

    /// <summary>The snapshot's file being loaded, or null: then the numbers below are those set last.</summary>
    public RdbLoadProgress? Snapshot { get; set; }

    /// <summary>Bytes to be read in all.</summary>
    public long TotalBytes { get => Snapshot?.TotalBytes ?? Volatile.Read(ref _totalBytes); set => Volatile.Write(ref _totalBytes, value); }

    /// <summary>Bytes read.</summary>
    public long LoadedBytes { get => Snapshot?.LoadedBytes ?? Volatile.Read(ref _loadedBytes); set => Volatile.Write(ref _loadedBytes, value); }
}
