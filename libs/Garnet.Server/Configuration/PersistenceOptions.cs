// The options about files and what is saved in them. Stateless; any thread.

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about snapshots and the append-only log.</summary>
internal static class PersistenceOptions
{
    public static OptionDescriptor[] All() => [.. Files(), .. Ends()];

    private static OptionDescriptor[] Files() =>
        [
            new StringOption("dir", static o => o.Dir, static (o, v) => o.Dir = Path.GetFullPath(v))
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Existing directory of the data; relative paths of other files are relative to it, except those of loadmodule and function-load.",
                Mutability = Mutability.Protected,
                AlwaysWritten = true,
                Check = static path =>
                    path.Length == 0 ? "dir can't be empty"
                    : Directory.Exists(path) ? null
                    : "No such file or directory",
            },
            new StringOption("dbfilename", static o => o.DbFileName, static (o, v) => o.DbFileName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Name of the snapshot file in dir; loaded at the start if it exists.",
                Mutability = Mutability.Protected,
                Check = static name =>
                    name.Length == 0 ? "dbfilename can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "dbfilename can't be a path, just a filename",
            },
            new SaveOption("save", static o => o.Save, static (o, v) => o.Save = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "When to save snapshots: after <seconds> if there were <changes>; \"\" means never. With any entry one is also saved when the server ends.",
                Mutability = Mutability.Runtime,
            },
            new DelayOption(
                "checkpoint-throttle-flush-delay-ms",
                static o => o.CheckpointThrottleFlushDelayMs,
                static (o, v) => o.CheckpointThrottleFlushDelayMs = v,
                60_000
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Pace of saving: milliseconds between pieces of 1 MB, 0 to yield only, -1 for as fast as possible; auto is slow while clients are busy and fast otherwise.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("rdbcompression", static o => o.RdbCompression, static (o, v) => o.RdbCompression = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Compress strings in snapshots: smaller files at the cost of processor time for clients.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("rdbchecksum", static o => o.RdbChecksum, static (o, v) => o.RdbChecksum = v)
            {
                Group = OptionGroup.Persistence,
                Help = "End snapshots with a checksum, and verify it when loading.",
            },
            new EnumOption<RdbVersionCheck>(
                "rdb-version-check",
                static o => o.RdbVersionCheck,
                static (o, v) => o.RdbVersionCheck = v,
                [("strict", RdbVersionCheck.Strict), ("relaxed", RdbVersionCheck.Relaxed)]
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Which payloads RESTORE accepts and which files are loaded. strict: as in Valkey, no payloads of later versions or of Redis 7.4 and later, and no files of later versions of Valkey. relaxed: those too, if all types in them are known.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption(
                "stop-writes-on-bgsave-error",
                static o => o.StopWritesOnBgsaveError,
                static (o, v) => o.StopWritesOnBgsaveError = v
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Reject writes after a snapshot failed, while save has any entry.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("appendonly", static o => o.AppendOnly, static (o, v) => o.AppendOnly = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Log writes to disk, so that a restart recovers them.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<AppendFsync>(
                "appendfsync",
                static o => o.AppendFsync,
                static (o, v) => o.AppendFsync = v,
                [("everysec", AppendFsync.EverySecond), ("always", AppendFsync.Always), ("no", AppendFsync.No)]
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "When the log is synced to disk: once a second, before any reply that acknowledges a write, or when the system chooses.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("appendfilename", static o => o.AppendFileName, static (o, v) => o.AppendFileName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Prefix of the names of the log's files; also of the append-only files of Redis or Valkey to import at the start.",
                Check = static name =>
                    name.Length == 0 ? "appendfilename can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "appendfilename can't be a path, just a filename",
            },
            new StringOption("appenddirname", static o => o.AppendDirName, static (o, v) => o.AppendDirName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Folder of the log's files, in dir.",
                Check = static name =>
                    name.Length == 0 ? "appenddirname can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "appenddirname can't be a path, just a dirname",
            },
            new BooleanOption("aof-load-truncated", static o => o.AofLoadTruncated, static (o, v) => o.AofLoadTruncated = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Start with a log that lost its end, for example by a power failure; otherwise report it and do not start. Also applies to append-only files of Redis and Valkey.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "auto-aof-rewrite-percentage",
                static o => o.AutoAofRewritePercentage,
                static (o, v) => o.AutoAofRewritePercentage = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Rewrite the log when it has grown by this percentage since the last time; 0 never.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "auto-aof-rewrite-min-size",
                static o => o.AutoAofRewriteMinSizeBytes,
                static (o, v) => o.AutoAofRewriteMinSizeBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Do not rewrite a log smaller than this, however much it has grown.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption(
                "no-appendfsync-on-rewrite",
                static o => o.NoAppendFsyncOnRewrite,
                static (o, v) => o.NoAppendFsyncOnRewrite = v
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Do not sync the log each second while it is rewritten; appendfsync always still applies.",
                Mutability = Mutability.Runtime,
            },
        ];

    // Placed with the options of saving, because most of their words concern saving.
    private static ShutdownOption[] Ends() =>
        [
            new ShutdownOption("shutdown-on-sigint", static o => o.ShutdownOnSigInt, static (o, v) => o.ShutdownOnSigInt = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "How SIGINT (Ctrl+C) ends the stand-alone server, in the words of SHUTDOWN; default saves a snapshot when save has any entry, and keeps running if that fails.",
                Mutability = Mutability.Runtime,
            },
            new ShutdownOption("shutdown-on-sigterm", static o => o.ShutdownOnSigTerm, static (o, v) => o.ShutdownOnSigTerm = v)
            {
                Group = OptionGroup.Persistence,
                Help = "How SIGTERM ends it.",
                Mutability = Mutability.Runtime,
            },
        ];
}
