// How far the loading of data has come. Written by the loading thread, read by any.
namespace Garnet.Server.Persistence;

/// <summary>What INFO tells while data is being loaded.</summary>
/// <param name="startedSeconds">Unix seconds of the start.</param>
public sealed class LoadingStatus(long startedSeconds)
{
    private long _totalBytes;
    private long _loadedBytes;

    /// <summary>Unix seconds of the start.</summary>
    public long StartedSeconds => startedSeconds;

    /// <summary>Bytes to be read in all.</summary>
    public long TotalBytes { get => Volatile.Read(ref _totalBytes); set => Volatile.Write(ref _totalBytes, value); }

    /// <summary>Bytes read.</summary>
    public long LoadedBytes { get => Volatile.Read(ref _loadedBytes); set => Volatile.Write(ref _loadedBytes, value); }
}
