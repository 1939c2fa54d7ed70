// The progress of loading data. Written by the loading thread, read by any.
using Garnet.Persistence.Rdb;

namespace Garnet.Server.Basics;

/// <summary>The figures that INFO and the log show while data is being loaded.</summary>
/// <param name="startedSeconds">Unix seconds of the start.</param>
internal sealed class LoadingStatus(long startedSeconds)
{
    private long _totalBytes;
    private long _loadedBytes;

    /// <summary>Unix seconds of the start.</summary>
    public long StartedSeconds => startedSeconds;

    /// <summary>Whether the data loaded so far is beside the present data, which is served meanwhile.</summary>
    public bool IsAsync { get; init; }

    /// <summary>The snapshot file being loaded, or null. Its bytes are added to the other counts.</summary>
    public RdbLoadProgress? Snapshot { get; set; }

    /// <summary>Total bytes to read: the number that was set, or else the snapshot's size; 0 when unknown.</summary>
    public long TotalBytes
    {
        get => Volatile.Read(ref _totalBytes) is > 0 and long total ? total : Math.Max(0, Snapshot?.TotalBytes ?? 0);
        set => Volatile.Write(ref _totalBytes, value);
    }

    /// <summary>Bytes read.</summary>
    public long LoadedBytes
    {
        get => Volatile.Read(ref _loadedBytes) + (Snapshot?.LoadedBytes ?? 0);
        set => Volatile.Write(ref _loadedBytes, value);
    }

    /// <summary>The share of the bytes that are read, in percent; 0 while the total is unknown.</summary>
    public double Percent => TotalBytes is > 0 and long total ? 100.0 * Math.Min(LoadedBytes, total) / total : 0;

    /// <summary>How far it is, for people.</summary>
    public string Progress => TotalBytes is > 0 and long total ? $"{(long)Percent} % of {total} bytes" : $"{LoadedBytes} bytes";

    /// <summary>The snapshot is loaded, or loading it was abandoned; its bytes remain counted.</summary>
    public void EndSnapshot()
    {
        if (Snapshot is not { } ended)
            return;
        TotalBytes = TotalBytes;
        Snapshot = null;
        LoadedBytes += ended.LoadedBytes;
    }
}
