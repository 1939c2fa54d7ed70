// Sizes of the append-only log and its base. Written by one thread at a time, read by any.
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>How large the files are, and how large they were after the last rewrite.</summary>
internal sealed class LogSizes(LogPresence present)
{
    private long _baseBytes;
    private long _olderBytes;
    private long _afterRewrite;

    /// <summary>Bytes of snapshot and log.</summary>
    public long Current => Volatile.Read(ref _baseBytes) + Volatile.Read(ref _olderBytes) + (present.Log?.FileBytes ?? 0);

    /// <summary>The value of <see cref="Current"/> after the last rewrite; after a start the size of the snapshot alone.</summary>
    public long AfterRewrite => Volatile.Read(ref _afterRewrite);

    /// <summary>Whether the log has grown so much since the last rewrite that the options ask for one.</summary>
    public bool HaveGrown(GarnetOptions options)
    {
        long percentage = options.AutoAofRewritePercentage;
        long size = Current;
        if (present.Log is null or { IsFailed: true } || percentage == 0 || size < options.AutoAofRewriteMinSizeBytes)
            return false;
        long since = Math.Max(1, AfterRewrite);
        return (size - since) * 100.0 / since >= percentage;
    }

    /// <summary>Files were loaded.</summary>
    /// <param name="baseBytes">Bytes of the snapshot.</param>
    /// <param name="olderBytes">Bytes of the effects after it.</param>
    public void OnLoaded(long baseBytes, long olderBytes)
    {
        Volatile.Write(ref _baseBytes, baseBytes);
        Volatile.Write(ref _olderBytes, olderBytes);
    }

    /// <summary>
    /// The log of the loaded files is continued. A server that is restarted before its log has doubled must not measure growth from zero
    /// each time: its log would never be rewritten.
    /// </summary>
    public void OnStart() => Volatile.Write(ref _afterRewrite, Volatile.Read(ref _baseBytes));

    /// <summary>The log has a new base, and what was before it is deleted.</summary>
    public void OnRewrite(AppendOnlyLog current, long baseBytes)
    {
        current.ResetClosedBytes();
        OnLoaded(baseBytes, olderBytes: 0);
        Volatile.Write(ref _afterRewrite, Current);
    }
}
