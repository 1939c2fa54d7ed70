// The append-only log of one server: read at the start, turned on and off, rewritten. Thread-safe; changes are made one at a time, on a
// thread of their own.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Snapshots;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence.Aof;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// A rewrite is a snapshot and a new generation of the log that begins at the very same point; when the snapshot is durable, older
/// generations are deleted. Turning the log on is a rewrite whose generation has none before it, and so is starting again after the disk
/// has failed.
/// </summary>
public sealed class AppendOnly : IDisposable
{
    private const long RetrySeconds = 10;
    private const long MsPerSecond = 1000;

    private static readonly TimeSpan ClosePatience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan CancelPeriod = TimeSpan.FromMilliseconds(20);

    private readonly RespServer _server;
    private readonly Func<string, ILogFolder> _openFolder;
    private readonly SemaphoreSlim _changing = new(1);
    private readonly RewriteStatistics _statistics = new();
    private readonly LogLoader _loader;
    private volatile AppendOnlyLog? _log;
    private volatile string? _deniedUntilBase;
    private volatile string? _failedReload; // the data in memory are incomplete
    private volatile bool _isRewriting;
    private volatile bool _isScheduled;
    private volatile AppendOnlyState _state;
    private long _baseBytes;
    private long _olderBytes;
    private long _sizeAfterRewrite;
    private long _lastTryMs;
    private long _rewriteStartedMs;
    private volatile bool _isDisposed;
    private IDisposable? _lease;

    /// <summary>Makes the log's keeper; nothing is logged yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="openFolder">Makes the folder of a path; the file system's when null.</param>
    public AppendOnly(RespServer server, Func<string, ILogFolder>? openFolder = null)
    {
        _server = server;
        _openFolder = openFolder ?? (static path => new LogFolder(path));
        _loader = new LogLoader(server);
        server.Configuration.OnChange("appendonly", options => RunChange(options.AppendOnly ? TurnOn : TurnOff));
        server.Configuration.OnChange("appendfsync", ApplyFsync);
    }

    /// <summary>The log that effects go to; null while nothing is logged.</summary>
    public AppendOnlyLog? Log => _log;

    /// <summary>The log when replies have to wait for it; null when none do.</summary>
    internal AppendOnlyLog? ReplyGate { get; private set; }

    /// <summary>What the log is doing.</summary>
    public AppendOnlyState State => _state;

    /// <summary>True while a rewrite runs.</summary>
    public bool IsRewriting => _isRewriting;

    /// <summary>True while a rewrite waits for a snapshot to end.</summary>
    public bool IsScheduled => _isScheduled;

    /// <summary>How rewrites went.</summary>
    public RewriteStatistics Rewrites => _statistics;

    /// <summary>Seconds that the rewrite under way has taken; -1 when there is none.</summary>
    public long CurrentRewriteSeconds => _isRewriting ? (NowMs - Volatile.Read(ref _rewriteStartedMs)) / MsPerSecond : -1;

    /// <summary>Bytes of snapshot and log.</summary>
    public long CurrentBytes => Volatile.Read(ref _baseBytes) + Volatile.Read(ref _olderBytes) + (_log?.FileBytes ?? 0);

    /// <summary>What <see cref="CurrentBytes"/> was after the last rewrite; after a start the size of the snapshot alone.</summary>
    public long SizeAfterRewrite => Volatile.Read(ref _sizeAfterRewrite);

    /// <summary>What keeps the log from being written, in the system's words; null when nothing does.</summary>
    public string? WriteProblem => _failedReload ?? _log?.Problem ?? _deniedUntilBase;

    /// <summary>The error that writes get now; empty when they are let in.</summary>
    public ReadOnlySpan<byte> WriteDenial => _log is null || WriteProblem is not { } problem ? default : ErrorText.LogFailed(problem);

    private long NowMs => _server.Time.GetUtcNow().ToUnixTimeMilliseconds();

    private GarnetOptions Options => _server.Configuration.Current;

    private ILogFolder OpenFolder() => _openFolder(Path.Combine(Options.Dir, Options.AppendDirName));

    /// <summary>
    /// Brings the data back and opens the log, at the start, when appendonly is yes: the log's own snapshot and what follows it; or, when
    /// there is no log yet, the snapshot of the server, which then is the base.
    /// </summary>
    /// <param name="progress">Told how many bytes were read of how many.</param>
    /// <exception cref="AppendOnlyLogException">The log cannot be read or written.</exception>
    public void Load(Action<long, long> progress)
    {
        ILogFolder folder = OpenFolder();
        try
        {
            _lease = _server.Locks.TakeLog(Options);
            LoadFrom(folder, progress);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(
                folder.Path,
                0,
                e.Message,
                "Make room, mend the permissions or the file named, and start again"
            );
        }
    }

    private void LoadFrom(ILogFolder folder, Action<long, long> progress)
    {
        AppendLogRecovery recovery = new(folder, Options.AppendFileName);
        var theirs = AofFiles.Find(Options);
        if (theirs is not null && !recovery.Exists)
        {
            TakeOver(folder, recovery, theirs, progress);
            return;
        }

        bool isTakenOver = theirs is not null && theirs.Identity == recovery.TakenOver;
        if (theirs is not null && !isTakenOver)
            RefuseBoth(theirs, folder);
        LogStart start = recovery.Exists ? Replay(folder, recovery, progress) : BeginNew(folder, recovery);
        AppendOnlyLog opened = Open(folder, start);
        opened.Start();
        if (isTakenOver)
            MoveToBackup(theirs!, opened);
        using StoreSession session = _server.Store.OpenSession();
        _server.Store.RunExclusive(session, () => Attach(opened));
        _state = AppendOnlyState.On;
        // A server that is started again before its log has doubled must not count growth from anew each time: its log would never be
        // rewritten.
        Volatile.Write(ref _sizeAfterRewrite, Volatile.Read(ref _baseBytes));
        _server.Log.LogInformation("Appending to {Folder}, generation {Generation}", folder.Path, start.Generation);
    }

    /// <summary>Asks for a rewrite. It begins at once, or when the snapshot under way has ended; false when one runs already.</summary>
    /// <param name="mayNotBegin">Whether it must not begin at once in any case.</param>
    /// <param name="isDelayed">Whether it has to wait.</param>
    public bool TryBeginRewrite(bool mayNotBegin, out bool isDelayed)
    {
        isDelayed = false;
        if (_isRewriting)
            return false;
        isDelayed = mayNotBegin || _server.Snapshots.Saver.Progress is not null;
        if (isDelayed)
        {
            _isScheduled = true;
            return true;
        }

        MarkRewriting();
        RunChange(Rewrite);
        return true;
    }

    /// <summary>
    /// Begins what is due: a rewrite by growth, one that was asked for during a snapshot, or one more try. Called by the clock.
    /// </summary>
    public void Tick()
    {
        if (_isRewriting || _server.Snapshots.Saver.Progress is not null || _server.IsLoading)
            return;
        // Turned on when the disk had no room, too.
        bool isOwing = _log is { } open
            ? _state == AppendOnlyState.AwaitingBase || open.IsFailed
            : Options.AppendOnly && Volatile.Read(ref _lastTryMs) != 0;
        bool isRetry = isOwing && NowMs - Volatile.Read(ref _lastTryMs) > RetrySeconds * MsPerSecond;
        // Incomplete data must not take the place of what the files still hold.
        if (_failedReload is not null || (!_isScheduled && !isRetry && !HasGrown()))
            return;
        _isScheduled = false;
        MarkRewriting();
        RunChange(Rewrite);
    }

    /// <summary>Writes and syncs what is logged, and closes the log. Sessions must have ended.</summary>
    public void Dispose()
    {
        // A change under way is given up: a rewrite may have a slow pace, or wait for a disk that is full.
        _isDisposed = true;
        while (!_changing.Wait(CancelPeriod))
        {
            _server.Snapshots.Saver.Cancel();
        }

        _log?.Close(ClosePatience);
        _log?.Dispose();
        ReleaseFiles();
        _changing.Release();
    }

    private bool HasGrown()
    {
        long percentage = Options.AutoAofRewritePercentage;
        long size = CurrentBytes;
        if (_log is null || _log.IsFailed || percentage == 0 || size < Options.AutoAofRewriteMinSizeBytes)
            return false;
        long since = Math.Max(1, SizeAfterRewrite);
        return (size - since) * 100.0 / since >= percentage && NowMs - Volatile.Read(ref _lastTryMs) > _statistics.RetryDelayMs;
    }

    /// <summary>
    /// Throws the data away and brings them back from the files (DEBUG LOADAOF). Meanwhile other commands are refused as while loading.
    /// Answers what went wrong, or null; then the data are incomplete.
    /// </summary>
    public Task<string?> ReloadAsync() => Task.Run(() => RunAloneAsync(() => Task.FromResult(Reload())));

    /// <summary>
    /// Runs what throws the data away and brings them back, with no rewrite, no change of the log and no other of its kind beside it.
    /// </summary>
    internal async Task<string?> RunAloneAsync(Func<Task<string?>> reload)
    {
        await _changing.WaitAsync().ConfigureAwait(false);
        try
        {
            return _isDisposed ? "the server ends" : await reload().ConfigureAwait(false);
        }
        finally
        {
            _changing.Release();
        }
    }

    /// <summary>
    /// Has the log begin anew with what is in memory now, as it was brought there past the log; does nothing while there is none.
    /// </summary>
    internal void ScheduleRewrite() => _isScheduled |= _log is not null;

    private string? Reload()
    {
        try
        {
            // Without a log being written the files that a rewrite left are read.
            AppendOnlyLog? current = _log;
            if (current is { IsFailed: true })
                return "the append-only log has failed";
            if (current is null && !new AppendLogRecovery(OpenFolder(), Options.AppendFileName).Exists)
                return "there is no append-only log";
            _server.Loading = new LoadingStatus(_server.Time.GetUtcNow().ToUnixTimeSeconds());
            using StoreSession session = _server.Store.OpenSession();
            // From here on nobody is inside a command, and nothing that expires or is loaded is logged once more.
            _server.Store.RunExclusive(session, () => _server.Store.Sink = null);
            while (current is not null && current.Written < current.Appended && !current.IsFailed && !_isDisposed)
                Thread.Sleep(1);
            if (_isDisposed)
                return "the server ends";
            _server.Store.FlushAll(session);
            _loader.Replay(new AppendLogRecovery(OpenFolder(), Options.AppendFileName), trims: false, static (_, _) => { });
            _server.Snapshots.NoteLoaded();
            _server.Store.RunExclusive(session, () => _server.Store.Sink = current);
            _failedReload = null;
            return null;
        }
        catch (AppendOnlyLogException e)
        {
            _server.Log.LogError("{Problem}", e.Message);
            _failedReload = "DEBUG LOADAOF has failed, and the data are incomplete: " + e.Message;
            return e.Message;
        }
        finally
        {
            _server.Loading = null;
        }
    }

    private LogStart Replay(ILogFolder folder, AppendLogRecovery recovery, Action<long, long> progress)
    {
        if (!recovery.HasManifest)
        {
            _server.Log.LogWarning(
                "{Folder} has no {Manifest}: an older version wrote it, or it was deleted. It is made now",
                folder.Path,
                LogManifest.NameOf(Options.AppendFileName)
            );
        }

        LogStart start = _loader.Replay(recovery, trims: true, progress);
        Volatile.Write(ref _baseBytes, _loader.SnapshotBytes);
        Volatile.Write(ref _olderBytes, _loader.EffectBytes);
        return start;
    }

    // The first start with a log: what the server's snapshot holds must be in the log's base, or the next start would not find it.
    private LogStart BeginNew(ILogFolder folder, AppendLogRecovery recovery)
    {
        int generation = recovery.NextGeneration;
        recovery.Clear();
        string snapshot = _server.Snapshots.Path;
        if (!Path.Exists(snapshot))
            return LogStart.Fresh(generation, needsBase: false);
        _server.Log.LogInformation(
            "There is no append-only log in {Folder}: it begins with the snapshot {Snapshot}",
            folder.Path,
            snapshot
        );
        _loader.LoadSnapshot(snapshot, keepsExpired: false);
        folder.Import(snapshot, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        Volatile.Write(ref _baseBytes, _loader.SnapshotBytes);
        return LogStart.Fresh(generation, needsBase: true) with { Base = generation };
    }

    // The manifest says that a log is being made until it holds their data, so that a start after a crash in between begins again with
    // their files.
    private void TakeOver(ILogFolder folder, AppendLogRecovery recovery, AofFiles theirs, Action<long, long> progress)
    {
        recovery.Clear();
        _loader.Load(theirs, progress);
        if (RewriteNow() is { } problem)
        {
            throw new AppendOnlyLogException(
                folder.Path,
                0,
                "the data of the append-only files found could not be written in this server's form: " + problem,
                "Make room, and start again"
            );
        }

        _server.Log.LogInformation("The append-only files of another server were taken over into {Folder}", folder.Path);
    }

    // Which of the two has the newer data only their owner can know.
    private void RefuseBoth(AofFiles theirs, ILogFolder folder)
    {
        if (!theirs.HasManifest)
        {
            _server.Log.LogWarning("{File} is not loaded, as {Folder} holds this server's own log", theirs.Marker, folder.Path);
            return;
        }

        string own = Path.Combine(folder.Path, LogManifest.NameOf(Options.AppendFileName));
        throw new AppendOnlyLogException(
            theirs.Marker,
            0,
            "the folder holds append-only files of Redis or Valkey as well as this server's own log, and only one of them can be loaded",
            $"Move away the files that are not wanted: this manifest and what it names, or {own} and the files {Options.AppendFileName}.*.log.* and {Options.AppendFileName}.*.base.rdb with numbers of six digits"
        );
    }

    private void MoveToBackup(AofFiles theirs, AppendOnlyLog holder)
    {
        try
        {
            string target = theirs.MoveToBackup();
            holder.ForgetTakenOver();
            _server.Log.LogInformation("The append-only files that this server's log has taken the place of are kept in {Folder}", target);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _server.Log.LogWarning(
                "{File} and what belongs to it cannot be moved away: {Problem}. Their data are in this server's log; the next start tries again",
                theirs.Marker,
                e.Message
            );
        }
    }

    private AppendOnlyLog Open(ILogFolder folder, LogStart start) =>
        new(
            folder,
            start,
            new AppendOnlyLogOptions
            {
                Prefix = Options.AppendFileName,
                Fsync = Options.AppendFsync,
                Report = text => _server.Log.LogWarning("{Report}", text),
            }
        );

    // Under the barrier.
    private void Attach(AppendOnlyLog? attached)
    {
        _log = attached;
        _server.Store.Sink = attached;
        ApplyFsync(Options);
    }

    private void ApplyFsync(GarnetOptions options)
    {
        if (_log is { } open)
            open.Fsync = options.AppendFsync;
        ReplyGate = options.AppendFsync == AppendFsync.Always ? _log : null;
    }

    private void TurnOn()
    {
        if (_log is null)
            Rewrite();
    }

    private void TurnOff()
    {
        if (_log is not { } closing)
            return;
        using (StoreSession session = _server.Store.OpenSession())
            _server.Store.RunExclusive(session, () => Attach(null));
        _state = AppendOnlyState.Off;
        _deniedUntilBase = null;
        closing.Close(ClosePatience);
        closing.Dispose();
        ReleaseFiles();
        _server.Log.LogInformation("The append-only log is off; its files stay");
    }

    private void MarkRewriting()
    {
        Volatile.Write(ref _rewriteStartedMs, NowMs);
        _isRewriting = true;
    }

    private void Rewrite()
    {
        MarkRewriting();
        Volatile.Write(ref _lastTryMs, NowMs);
        try
        {
            if (RewriteNow() is { } problem)
                NoteFailure(problem);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or AppendOnlyLogException)
        {
            NoteFailure(e.Message);
        }
        finally
        {
            if (_log is null)
                ReleaseFiles();
            _isRewriting = false;
        }
    }

    // Null, or what went wrong.
    private string? RewriteNow()
    {
        ILogFolder folder = OpenFolder();
        // After a failure nothing is acknowledged until a snapshot holds what the disk may have lost.
        AppendOnlyLog? former = _log is { IsFailed: true } ? _log : null;
        if (former is not null)
            _deniedUntilBase = former.Problem;
        AppendOnlyLog? fresh = null;
        bool isFirstBase = _log is not { IsFailed: false, HasBase: true };
        int generation;
        if (_log is { IsFailed: false } current)
        {
            generation = current.Generation + 1;
        }
        else
        {
            _lease ??= _server.Locks.TakeLog(Options);
            generation = Math.Max(AppendLogRecovery.HighestGeneration(folder, Options.AppendFileName), _log?.Generation ?? 0) + 1;
            fresh = Open(folder, LogStart.Fresh(generation, needsBase: true));
            if (TryStart(fresh) is { } refused)
                return refused;
        }

        string path = Path.Combine(folder.Path, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        SaveOutcome? outcome;
        try
        {
            outcome = Save(path, () => BeginGeneration(fresh));
        }
        finally
        {
            // The save ended before it began.
            if (fresh is not null && _log != fresh)
                fresh.Dispose();
        }

        former?.Dispose();
        if (outcome is not { Result: SaveResult.Success })
            return outcome?.Error ?? "the snapshot was cancelled";

        if (Finish(folder, generation, outcome, isFirstBase) is { } problem)
            return problem;
        // Logging is off, and only the files were asked for.
        if (fresh is not null && !Options.AppendOnly)
            TurnOff();
        return null;
    }

    // Under the barrier: from here on effects belong to the new generation, and the snapshot holds what came before.
    private void BeginGeneration(AppendOnlyLog? fresh)
    {
        if (fresh is null)
        {
            _log!.BeginGeneration();
            return;
        }

        _state = AppendOnlyState.AwaitingBase;
        Attach(fresh);
    }

    // Null, or what went wrong.
    private string? Finish(ILogFolder folder, int generation, SaveOutcome outcome, bool isFirstBase)
    {
        AppendOnlyLog current = _log!;
        // Older generations may go when the new one is there.
        while (current.OpenGeneration < generation && !current.IsFailed && !_isDisposed)
            Thread.Sleep(1);
        if (current.IsFailed)
            return current.Problem;
        if (current.OpenGeneration < generation)
            return "the server ends";
        // A log that begins now has the data of what lies in the folder, or others in their place.
        AofFiles? theirs = isFirstBase ? AofFiles.Find(Options) : null;

        if (current.SetBase(generation, theirs?.Identity ?? "") is { } problem)
            return problem;
        if (theirs is not null)
            MoveToBackup(theirs, current);
        _deniedUntilBase = null;
        _state = AppendOnlyState.On;
        DeleteBefore(folder, generation);
        current.ForgetBefore();
        Volatile.Write(ref _olderBytes, 0);
        Volatile.Write(ref _baseBytes, outcome.Bytes);
        Volatile.Write(ref _sizeAfterRewrite, CurrentBytes);
        _statistics.NoteSuccess((NowMs - Volatile.Read(ref _rewriteStartedMs)) / MsPerSecond, outcome.PeakImageBytes);
        Trace(error: null);
        _server.Log.LogInformation(
            "The append-only log was rewritten: generation {Generation}, {Keys} keys, {Bytes} bytes",
            generation,
            outcome.Keys,
            outcome.Bytes
        );
        return null;
    }

    // What cannot be deleted takes room, and is tried again at the next rewrite and the next start. It is needed no longer.
    private void DeleteBefore(ILogFolder folder, int generation)
    {
        try
        {
            AppendLogRecovery.DeleteBefore(folder, Options.AppendFileName, generation);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _server.Log.LogWarning("Files of the append-only log from before the rewrite cannot be deleted: {Problem}", e.Message);
        }
    }

    private void ReleaseFiles() => Interlocked.Exchange(ref _lease, null)?.Dispose();

    private SaveOutcome? Save(string path, Action atFlip)
    {
        _log?.IsSyncSuspended = Options.NoAppendFsyncOnRewrite && Options.AppendFsync == AppendFsync.EverySecond;
        using StoreSession session = _server.Store.OpenSession();
        SaveRequest request = new()
        {
            Path = path,
            IsCompressing = Options.RdbCompression,
            IsUrgent = _server.IsLoading,
            Tag = this,
            AtFlip = () =>
            {
                atFlip();
                return null;
            },
        };
        Task<SaveOutcome> done;
        while (!_server.Snapshots.Saver.TryStart(session, request, out done))
        {
            if (_isDisposed)
                return null;
            Thread.Sleep(1);
        }

        SaveOutcome outcome = done.GetAwaiter().GetResult();
        _log?.IsSyncSuspended = false;
        return outcome;
    }

    // Null, or what went wrong: the data are as they were, and it is tried again.
    private static string? TryStart(AppendOnlyLog fresh)
    {
        try
        {
            fresh.Start();
            return null;
        }
        catch (AppendOnlyLogException e)
        {
            fresh.Dispose();
            return e.Message;
        }
    }

    private void NoteFailure(string problem)
    {
        _statistics.NoteFailure((NowMs - Volatile.Read(ref _rewriteStartedMs)) / MsPerSecond);
        Trace(problem);
        _server.Log.LogError("The append-only log could not be rewritten: {Problem}", problem);
    }

    private void Trace(string? error) =>
        _server.Activities.Record(
            "garnet.aof_rewrite",
            TimeSpan.FromMilliseconds(NowMs - Volatile.Read(ref _rewriteStartedMs)),
            error,
            new KeyValuePair<string, object?>("garnet.bytes", CurrentBytes)
        );

    // On a thread of its own: it waits for the barrier and for disks, and the caller may be inside a command.
    private void RunChange(Action change) =>
        new Thread(() =>
        {
            _changing.Wait();
            try
            {
                if (!_isDisposed)
                    change();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or AppendOnlyLogException)
            {
                // The disk's trouble is not the server's end, and nobody waits here who could be told.
                _server.Log.LogError("The append-only log could not be changed: {Problem}", e.Message);
            }
            finally
            {
                _changing.Release();
            }
        })
        {
            IsBackground = true,
            Name = "log-change",
        }.Start();
}
