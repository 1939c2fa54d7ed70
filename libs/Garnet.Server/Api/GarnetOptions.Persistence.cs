// The settings of a server about files; see GarnetOptions.cs.

namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>Directory that relative paths of the other options are relative to.</summary>
    public string Dir { get; set; } = Environment.CurrentDirectory;

    /// <summary>Name of the snapshot file in <see cref="Dir"/>.</summary>
    public string DbFileName { get; set; } = "dump.rdb";

    /// <summary>
    /// When a snapshot is saved automatically; with any entry one is also saved when the server ends. Empty by default, so that a server
    /// inside an application writes no files unasked.
    /// </summary>
    public IReadOnlyList<SavePoint> Save { get; set; } = [];

    /// <summary>
    /// Whether strings in snapshots are compressed where that makes them shorter. Off by default: writing bytes costs a small part of the
    /// processor time of compressing them, and clients pay for it.
    /// </summary>
    public bool RdbCompression { get; set; }

    /// <summary>Whether snapshots end with a checksum, and a loaded one's is verified.</summary>
    public bool RdbChecksum { get; set; } = true;

    /// <summary>Which versions of payloads RESTORE accepts.</summary>
    public RdbVersionCheck RdbVersionCheck { get; set; }

    /// <summary>Whether writes are rejected after a scheduled or requested snapshot failed, as long as there is a schedule.</summary>
    public bool StopWritesOnBgsaveError { get; set; } = true;

    /// <summary>
    /// The pace of a snapshot: milliseconds between pieces of a megabyte, 0 to yield only, -1 to save as fast as possible; null
    /// (<c>auto</c>) adapts to the foreground load: slow while clients are busy, fast when there is no load. May change while a snapshot is
    /// being saved.
    /// </summary>
    public int? CheckpointThrottleFlushDelayMs { get; set; }

    /// <summary>Whether writes are logged to disk, so that a restart recovers them.</summary>
    public bool AppendOnly { get; set; }

    /// <summary>When the log is synced to disk.</summary>
    public AppendFsync AppendFsync { get; set; } = AppendFsync.EverySecond;

    /// <summary>Prefix of the names of the log's files.</summary>
    public string AppendFileName { get; set; } = "appendonly.aof";

    /// <summary>Folder of the log's files in <see cref="Dir"/>.</summary>
    public string AppendDirName { get; set; } = "appendonlydir";

    /// <summary>
    /// Whether a log that lost its end, for example by a power failure, is read up to that point; otherwise the server does not start.
    /// </summary>
    public bool AofLoadTruncated { get; set; } = true;

    /// <summary>Percentage of growth of log and snapshot together after which they are rewritten; 0 never.</summary>
    public int AutoAofRewritePercentage { get; set; } = 100;

    /// <summary>Minimum size of log and snapshot for a rewrite because of growth.</summary>
    public long AutoAofRewriteMinSizeBytes { get; set; } = 64L << 20;

    /// <summary>Whether the log is not synced each second during a rewrite.</summary>
    public bool NoAppendFsyncOnRewrite { get; set; }

    /// <summary>How SIGINT (Ctrl+C) ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigInt { get; set; }

    /// <summary>How SIGTERM ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigTerm { get; set; }

    /// <summary>Who may change <see cref="Dir"/> and <see cref="DbFileName"/> by CONFIG SET.</summary>
    public CommandAccess EnableProtectedConfigs { get; set; } = CommandAccess.No;
}
