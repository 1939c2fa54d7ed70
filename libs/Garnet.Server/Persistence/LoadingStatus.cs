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

    /// <summary>The snapshot's file being loaded, or null. Its bytes come on top of those that were set.</summary>
    public RdbLoadProgress? Snapshot { get; set; }

    /// <summary>Bytes to be read in all: those that were set, or else the snapshot's.</summary>
    public long TotalBytes
    {
        get => Volatile.Read(ref _totalBytes) is > 0 and long total ? total : Snapshot?.TotalBytes ?? 0;
        set => Volatile.Write(ref _totalBytes, value);
    }

    /// <summary>Bytes read.</summary>
    public long LoadedBytes
    {
        get => Volatile.Read(ref _loadedBytes) + (Snapshot?.LoadedBytes ?? 0);
        set => Volatile.Write(ref _loadedBytes, value);
    }

    /// <summary>The snapshot is loaded, or given up; its bytes stay counted.</summary>
    public void EndSnapshot()
    {
        if (Snapshot is not { } ended)
            return;
        TotalBytes = TotalBytes;
        Snapshot = null;
        LoadedBytes += ended.LoadedBytes;
    }
}
