// What an append-only log is opened with. Immutable once used.
namespace Garnet.Persistence.AppendLog;

/// <summary>Settings of a log.</summary>
public sealed class AppendOnlyLogOptions
{
    /// <summary>Beginning of every file's name (appendfilename).</summary>
    public string Prefix { get; init; } = "appendonly.aof";

    /// <summary>When writes are forced to the disk; can be changed while the log is open.</summary>
    public AppendFsync Fsync { get; init; }

    /// <summary>Bytes handed over and not yet written at which writers have to wait.</summary>
    public long StagingBytes { get; init; } = 16L << 20;

    /// <summary>Bytes of a file, a power of two of at least a page; each is reserved before it is needed.</summary>
    internal long SegmentBytes { get; init; } = 32L << 20;

    /// <summary>How long a start tries to write what the disk refuses.</summary>
    internal TimeSpan StartPatience { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Told what an operator should know.</summary>
    public Action<string> Report { get; init; } = static _ => { };
}
