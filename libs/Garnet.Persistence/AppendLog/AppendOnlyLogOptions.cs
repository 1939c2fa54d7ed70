// Options of an append-only log. Immutable once used.
namespace Garnet.Persistence.AppendLog;

/// <summary>Settings of a log.</summary>
internal sealed class AppendOnlyLogOptions
{
    /// <summary>Prefix of every file's name (appendfilename).</summary>
    public string Prefix { get; init; } = "appendonly.aof";

    /// <summary>When writes are synced to disk; can be changed while the log is open.</summary>
    public AppendFsync Fsync { get; init; }

    /// <summary>Bytes appended and not yet written at which writers have to wait.</summary>
    public long StagingBytes { get; init; } = 16L << 20;

    /// <summary>
    /// Size of a file, a power of two of at least a page; each file is created before it is needed, and space in it reserved.
    /// </summary>
    internal long SegmentBytes { get; init; } = 32L << 20;

    /// <summary>How long a start retries failed writes.</summary>
    internal TimeSpan StartPatience { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Receives messages for the operator.</summary>
    public Action<string> Report { get; init; } = static _ => { };
}
