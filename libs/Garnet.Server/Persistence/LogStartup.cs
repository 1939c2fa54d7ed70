// The start of the append-only log: its data is loaded, and it is continued. Used once, by the thread that starts the server.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Persistence.Aof;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// The log's own snapshot and the effects after it are read; or, where there is no log yet, the server's snapshot or the append-only files
/// of Redis or Valkey, which then become the base.
/// </summary>
internal sealed class LogStartup(
    ServerConfiguration configuration,
    LogLoader loader,
    LogOpener opener,
    LogRewrite rewrite,
    LogContinuation continuation,
    EffectFeed effects,
    ILogger log
)
{
    private readonly LogPresence _present = opener.Present;

    private GarnetOptions Options => configuration.Current;

    /// <summary>
    /// Loads the data and opens the log, at the start, when appendonly is yes: the log's own snapshot and the effects after it; or, when
    /// there is no log yet, the server's snapshot, which then becomes the base.
    /// </summary>
    /// <param name="progress">Called with the number of bytes read and the total.</param>
    /// <exception cref="AppendOnlyLogException">The log cannot be read or written.</exception>
    public void Load(Action<long, long> progress)
    {
        ILogFolder folder = opener.OpenFolder();
        try
        {
            opener.TakeFiles();
            LoadFrom(folder, progress);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(
                folder.Path,
                0,
                e.Message,
                "Free disk space, fix the permissions or the named file, and start again"
            );
        }
    }

    private void LoadFrom(ILogFolder folder, Action<long, long> progress)
    {
        AppendLogRecovery recovery = new(folder, Options.AppendFileName);
        var theirs = AofFiles.Find(Options);
        if (theirs is not null && !recovery.Exists)
        {
            Import(folder, recovery, theirs, progress);
            return;
        }

        bool isImported = theirs is not null && theirs.Identity == recovery.ImportedFrom;
        if (theirs is not null && !isImported)
            RefuseBoth(theirs, folder);
        var mark = StreamMark.Take(folder, Options.AppendFileName);
        LogStart start;
        try
        {
            start = recovery.Exists ? Replay(folder, recovery, progress) : BeginNew(folder, recovery);
        }
        catch (IOException e) when (DiskSpace.IsMissing(e) && !recovery.Exists)
        {
            // The snapshot is loaded; a rewrite is tried until the log has it as its base.
            rewrite.Statistics.OnTry();
            _present.Deny(e.Message);
            log.LogError("The append-only log cannot begin: {Problem}. Writes are rejected until there is space", e.Message);
            return;
        }

        if (mark is not null && recovery.Exists && mark.LogEnd == start.Offset)
            effects.Restore(mark.Id, mark.Position, mark.Database);
        _present.Sizes.OnStart();
        continuation.Begin(folder, start, isImported ? theirs : null);
    }

    private LogStart Replay(ILogFolder folder, AppendLogRecovery recovery, Action<long, long> progress)
    {
        if (!recovery.HasManifest)
        {
            log.LogWarning(
                "{Folder} has no {Manifest}: an older version wrote the folder, or the manifest was deleted. It is created now",
                folder.Path,
                LogManifest.NameOf(Options.AppendFileName)
            );
        }

        LogStart start = loader.Replay(recovery, trims: true, progress);
        _present.Sizes.OnLoaded(loader.SnapshotBytes, loader.EffectBytes);
        return start;
    }

    // The first start with a log: the content of the server's snapshot must be in the log's base, or the next start would lose it.
    private LogStart BeginNew(ILogFolder folder, AppendLogRecovery recovery)
    {
        int generation = recovery.NextGeneration;
        recovery.Clear();
        string snapshot = SnapshotKeeper.PathIn(Options);
        if (!Path.Exists(snapshot))
            return LogStart.Fresh(generation, needsBase: false);
        log.LogInformation("There is no append-only log in {Folder}: a new one begins with the snapshot {Snapshot}", folder.Path, snapshot);
        loader.LoadSnapshot(snapshot, keepsExpired: false);
        folder.Import(snapshot, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        _present.Sizes.OnLoaded(loader.SnapshotBytes, olderBytes: 0);
        return LogStart.Fresh(generation, needsBase: true) with { Base = generation };
    }

    // The manifest says that a log is being created until it contains the other server's data, so that a start after a crash in between
    // begins again with the other server's files.
    private void Import(ILogFolder folder, AppendLogRecovery recovery, AofFiles theirs, Action<long, long> progress)
    {
        recovery.Clear();
        loader.Load(theirs, progress);
        if (rewrite.TryRun() is { } problem)
        {
            throw new AppendOnlyLogException(
                folder.Path,
                0,
                "the data of the existing append-only files could not be written in this server's format: " + problem,
                "Free disk space, and start again"
            );
        }

        log.LogInformation("The append-only files of another server were imported into {Folder}", folder.Path);
    }

    // Only the operator can know which of the two has the newer data.
    private void RefuseBoth(AofFiles theirs, ILogFolder folder)
    {
        if (!theirs.HasManifest)
        {
            log.LogWarning("{File} is not loaded, because {Folder} contains this server's own log", theirs.Marker, folder.Path);
            return;
        }

        string own = Path.Combine(folder.Path, LogManifest.NameOf(Options.AppendFileName));
        throw new AppendOnlyLogException(
            theirs.Marker,
            0,
            "the folder contains append-only files of Redis or Valkey as well as this server's own log, and only one of them can be loaded",
            $"Move away the files that are not wanted: this manifest and what it names, or {own} and the files {Options.AppendFileName}.*.log.* and {Options.AppendFileName}.*.base.rdb with numbers of six digits"
        );
    }
}
