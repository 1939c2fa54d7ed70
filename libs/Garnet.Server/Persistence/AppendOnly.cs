// The append-only log of one server: loaded at the start, turned on and off, rewritten. Thread-safe; changes are made one at a time, on a
// separate thread.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Persistence.Snapshots;
using Garnet.Server.CommandModel;
using Garnet.Server.Persistence.Aof;
using Garnet.Server.Replication;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// A rewrite is a snapshot together with a new generation of the log that begins at the same point; when the snapshot is durable, older
/// generations are deleted. Turning the log on is a rewrite whose generation has no predecessor, and so is restarting the log after a disk
/// failure.
/// </summary>
internal sealed class AppendOnly : IDisposable
{
    private const long RetrySeconds = 10;
    private const long SpaceCheckMs = 500;
    private const long MsPerSecond = 1000;
    private const string LogFailed = "the append-only log has failed";
    private const string ShuttingDown = "the server is shutting down";

    private static readonly TimeSpan ClosePatience = TimeSpan.FromSeconds(10);

    private readonly RespServer _server;
    private readonly Func<string, ILogFolder> _openFolder;
    private readonly ChangeQueue _changes = new();
    private readonly RewriteStatistics _statistics = new();
    private readonly LogLoader _loader;
    private readonly LogPresence _present;
    private volatile string? _failedReload; // the data in memory is incomplete
    private volatile bool _isRewriting;
    private volatile bool _isScheduled;
    private volatile AppendOnlyState _state;
    private long _baseBytes;
    private long _olderBytes;
    private long _sizeAfterRewrite;
    private long _lastTryMs;
    private long _rewriteStartedMs;
    private readonly CancellationTokenSource _ending = new(); // the end of the server ends every wait for the disk
    private volatile CancellationTokenSource? _saving; // of the rewrite that saves now
    private int _switchesDue;
    private IDisposable? _lease;

    /// <summary>Creates the owner of the log; nothing is logged yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="openFolder">Creates the folder for a path; the file system's when null.</param>
    public AppendOnly(RespServer server, Func<string, ILogFolder>? openFolder = null)
    {
        _server = server;
        _openFolder = openFolder ?? (static path => new LogFolder(path));
        _loader = new LogLoader(server);
        // The first change comes after the parts are made.
        _present = new LogPresence(() => server.Persistence.RaiseGates());
        server.Configuration.Apply(["appendonly"], options => SwitchAsync(options.AppendOnly));
        server.Configuration.OnChange("appendfsync", ApplyFsync);
    }

    /// <summary>The log that effects are appended to; null while nothing is logged.</summary>
    public AppendOnlyLog? Log => _present.Log;

    /// <summary>The log if replies have to wait for it; null otherwise.</summary>
    internal AppendOnlyLog? ReplyGate { get; private set; }

    /// <summary>Whether effects are logged, or would be if the disk had space.</summary>
    public bool IsOn => _present.IsAny;

    /// <summary>The state of the log.</summary>
    public AppendOnlyState State => _state;

    /// <summary>True while a rewrite runs.</summary>
    public bool IsRewriting => _isRewriting;

    /// <summary>True while a rewrite waits for the end of a snapshot.</summary>
    public bool IsScheduled => _isScheduled;

    /// <summary>Statistics of rewrites.</summary>
    public RewriteStatistics Rewrites => _statistics;

    /// <summary>Duration of the current rewrite in seconds; -1 when there is none.</summary>
    public long CurrentRewriteSeconds => _isRewriting ? (NowMs - Volatile.Read(ref _rewriteStartedMs)) / MsPerSecond : -1;

    /// <summary>Bytes of snapshot and log.</summary>
    public long CurrentBytes => Volatile.Read(ref _baseBytes) + Volatile.Read(ref _olderBytes) + (_present.Log?.FileBytes ?? 0);

    /// <summary>The value of <see cref="CurrentBytes"/> after the last rewrite; after a start the size of the snapshot alone.</summary>
    public long SizeAfterRewrite => Volatile.Read(ref _sizeAfterRewrite);

    /// <summary>The system's message for the error that prevents writing the log; null when there is none.</summary>
    public string? WriteProblem => _failedReload ?? _present.Log?.Problem ?? _present.DeniedUntilBase ?? _present.Unopened?.Problem;

    /// <summary>The problem because of which writes are refused; null when they are allowed.</summary>
    public string? DenyingProblem => _present.IsAny ? WriteProblem : null;

    /// <summary>
    /// Whether the data was loaded but the disk had no space for the log to continue: what is in memory must stay as it is in the files.
    /// </summary>
    public bool AwaitsSpace => _present.Unopened is not null;

    // A rewrite must not keep a change of the log, or the end of the server, waiting.
    private bool IsHurried => _ending.IsCancellationRequested || Volatile.Read(ref _switchesDue) != 0;

    private long NowMs => _server.Clock.Time.GetUtcNow().ToUnixTimeMilliseconds();

    private GarnetOptions Options => _server.Configuration.Current;

    private ILogFolder OpenFolder() => _openFolder(Path.Combine(Options.Dir, Options.AppendDirName));

    /// <summary>
    /// Loads the data and opens the log, at the start, when appendonly is yes: the log's own snapshot and the effects after it; or, when
    /// there is no log yet, the server's snapshot, which then becomes the base.
    /// </summary>
    /// <param name="progress">Called with the number of bytes read and the total.</param>
    /// <exception cref="AppendOnlyLogException">The log cannot be read or written.</exception>
    public void Load(Action<long, long> progress)
    {
        ILogFolder folder = OpenFolder();
        try
        {
            _lease = _server.Persistence.Locks.TakeLog(Options);
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
            Volatile.Write(ref _lastTryMs, NowMs);
            _present.DeniedUntilBase = e.Message;
            _server.Log.LogError("The append-only log cannot begin: {Problem}. Writes are rejected until there is space", e.Message);
            return;
        }

        if (mark is not null && recovery.Exists && mark.LogEnd == start.Offset)
            _server.Replication.Restore(mark.Id, mark.Position, mark.Database);
        // A server that is restarted before its log has doubled must not measure growth from zero each time: its log would never be
        // rewritten.
        Volatile.Write(ref _sizeAfterRewrite, Volatile.Read(ref _baseBytes));
        try
        {
            Continue(folder, start, isImported ? theirs : null);
        }
        catch (AppendOnlyLogException e) when (e.IsDiskFull)
        {
            Volatile.Write(ref _lastTryMs, NowMs);
            _present.Unopened = new UnopenedLog(e.Problem, start, isImported ? theirs : null)
            {
                Changes = _server.Store.Statistics.Changes,
            };
            _server.Log.LogError("{Problem}. The data is loaded and can be read; writes are rejected until there is space", e.Message);
        }
    }

    private void Continue(ILogFolder folder, LogStart start, AofFiles? imported)
    {
        AppendOnlyLog opened = Open(folder, start);
        Start(opened);
        if (imported is not null)
            MoveToBackup(imported, opened);
        using StoreSession session = _server.Store.OpenSession();
        session.RunExclusive(() => Attach(opened));
        _state = AppendOnlyState.On;
        _present.Unopened = null;
        _server.Log.LogInformation("Appending to {Folder}, generation {Generation}", folder.Path, start.Generation);
    }

    // What a replica has received meanwhile is in no file, so the log cannot simply continue: it begins again with a snapshot.
    private void ContinueIfSpace()
    {
        if (_present.Unopened is not { } unopened)
            return;
        Volatile.Write(ref _lastTryMs, NowMs);
        if (_server.Store.Statistics.Changes != unopened.Changes)
        {
            _present.DeniedUntilBase = unopened.Problem;
            _present.Unopened = null;
            Rewrite();
            return;
        }

        try
        {
            Continue(OpenFolder(), unopened.Start, unopened.Imported);
        }
        catch (AppendOnlyLogException e) when (e.IsDiskFull)
        {
            // Still no space: tried again.
        }
    }

    /// <summary>
    /// Requests a rewrite. It begins at once, or when the current snapshot has ended; false when a rewrite is running already.
    /// </summary>
    /// <param name="mayNotBegin">Whether it must not begin at once in any case.</param>
    /// <param name="isDelayed">Whether it has to wait.</param>
    public bool TryBeginRewrite(bool mayNotBegin, out bool isDelayed)
    {
        isDelayed = false;
        if (_isRewriting)
            return false;
        isDelayed = mayNotBegin || _server.Persistence.Snapshots.Saver.Progress is not null;
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
    /// Begins a rewrite that is due: because of growth, because one was requested during a snapshot, or as a retry. Called by the clock.
    /// </summary>
    public void Tick()
    {
        if (_isRewriting || _server.Persistence.Snapshots.Saver.Progress is not null || _server.Persistence.IsLoading)
            return;
        if (_present.Unopened is not null)
        {
            if (NowMs - Volatile.Read(ref _lastTryMs) > SpaceCheckMs)
                RunChange(ContinueIfSpace);
            return;
        }

        // Also when the disk had no space for the first base at the start.
        bool isOwing = _present.Log is { } open
            ? _state == AppendOnlyState.AwaitingBase || open.IsFailed
            : Options.AppendOnly && Volatile.Read(ref _lastTryMs) != 0;
        bool isRetry = isOwing && NowMs - Volatile.Read(ref _lastTryMs) > RetrySeconds * MsPerSecond;
        // Incomplete data must not replace the content of the files.
        if (_failedReload is not null || (!_isScheduled && !isRetry && !HasGrown()))
            return;
        _isScheduled = false;
        MarkRewriting();
        RunChange(Rewrite);
    }

    /// <summary>Writes and syncs the appended effects, and closes the log. Sessions must have ended.</summary>
    public void Dispose()
    {
        // A change in progress is abandoned: a rewrite may have a slow pace, or wait for a full disk.
        _ending.Cancel();
        _server.Persistence.Snapshots.Saver.Stop();
        _changes.WaitUntilIdle();
        _present.Log?.Close(ClosePatience);
        SaveMark();
        _present.Log?.Dispose();
        ReleaseFiles();
    }

    private void SaveMark()
    {
        ServerReplication replication = _server.Replication;
        if (_present.Log is not { IsFailed: false, IsDurable: true, HasBase: true } log || !replication.Effects.IsReplicating)
            return;
        try
        {
            new StreamMark(
                replication.History.Id,
                replication.Effects.Stream.Position,
                replication.Effects.Stream.Database,
                log.Appended
            ).Save(OpenFolder(), Options.AppendFileName);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _server.Log.LogWarning("Replicas will need all data after the next start: {Problem}", e.Message);
        }
    }

    private bool HasGrown()
    {
        long percentage = Options.AutoAofRewritePercentage;
        long size = CurrentBytes;
        if (_present.Log is null || _present.Log.IsFailed || percentage == 0 || size < Options.AutoAofRewriteMinSizeBytes)
            return false;
        long since = Math.Max(1, SizeAfterRewrite);
        return (size - since) * 100.0 / since >= percentage && NowMs - Volatile.Read(ref _lastTryMs) > _statistics.RetryDelayMs;
    }

    /// <summary>
    /// Discards the data and reloads it from the files (DEBUG LOADAOF). Meanwhile other commands are rejected as during loading. Returns
    /// the error, or null; after an error the data is incomplete.
    /// </summary>
    public Task<string?> ReloadAsync() => RunAloneAsync(() => Task.FromResult(Reload()));

    /// <summary>
    /// Runs an operation that discards and reloads the data, excluding rewrites, changes of the log and other such operations.
    /// </summary>
    internal Task<string?> RunAloneAsync(Func<Task<string?>> reload) =>
        _changes.RunAsync(() => _ending.IsCancellationRequested ? ShuttingDown : reload().GetAwaiter().GetResult());

    /// <summary>
    /// Schedules a rewrite with the data now in memory, which was loaded without the log; does nothing while nothing is logged.
    /// </summary>
    internal void ScheduleRewrite() => _isScheduled |= _present.Log is not null;

    /// <summary>
    /// Ends the log, whose data is about to be replaced; its files are kept until a new log is complete. Inside <see
    /// cref="RunAloneAsync"/>.
    /// </summary>
    internal void CloseForReplacement() => TurnOff();

    /// <summary>Begins a new log with the data now in memory, if there is to be one.</summary>
    internal void ScheduleReplacement() => _isScheduled |= Options.AppendOnly;

    private string? Reload()
    {
        try
        {
            // If no log is being written, the files left by a rewrite are read.
            AppendOnlyLog? current = _present.Log;
            if (current is { IsFailed: true })
                return LogFailed;
            if (current is null && !new AppendLogRecovery(OpenFolder(), Options.AppendFileName).Exists)
                return "there is no append-only log";
            _server.Persistence.Loading = new LoadingStatus(_server.Clock.Time.GetUtcNow().ToUnixTimeSeconds());
            using StoreSession session = _server.Store.OpenSession();
            // From here on no command is running, and nothing that expires or is loaded is logged again.
            session.RunExclusive(() => _server.Replication.Effects.IsPaused = true);
            bool isWritten = current is null || current.WrittenAsync(current.Appended, _ending.Token).GetAwaiter().GetResult();
            if (_ending.IsCancellationRequested)
                return ShuttingDown;
            if (!isWritten)
            {
                // The files lack what the memory has.
                session.RunExclusive(() => _server.Replication.Effects.IsPaused = false);
                return LogFailed;
            }

            _server.Store.Databases.FlushAll(session);
            _server.Scripts.Functions.Clear();
            _loader.Replay(new AppendLogRecovery(OpenFolder(), Options.AppendFileName), trims: false, static (_, _) => { });
            _server.Persistence.Snapshots.NoteLoaded();
            session.RunExclusive(() => _server.Replication.Effects.IsPaused = false);
            _failedReload = null;
            return null;
        }
        catch (AppendOnlyLogException e)
        {
            _server.Log.LogError("{Problem}", e.Message);
            _failedReload = "DEBUG LOADAOF has failed, and the data is incomplete: " + e.Message;
            return e.Message;
        }
        finally
        {
            _server.Persistence.Loading = null;
        }
    }

    private LogStart Replay(ILogFolder folder, AppendLogRecovery recovery, Action<long, long> progress)
    {
        if (!recovery.HasManifest)
        {
            _server.Log.LogWarning(
                "{Folder} has no {Manifest}: an older version wrote the folder, or the manifest was deleted. It is created now",
                folder.Path,
                LogManifest.NameOf(Options.AppendFileName)
            );
        }

        LogStart start = _loader.Replay(recovery, trims: true, progress);
        Volatile.Write(ref _baseBytes, _loader.SnapshotBytes);
        Volatile.Write(ref _olderBytes, _loader.EffectBytes);
        return start;
    }

    // The first start with a log: the content of the server's snapshot must be in the log's base, or the next start would lose it.
    private LogStart BeginNew(ILogFolder folder, AppendLogRecovery recovery)
    {
        int generation = recovery.NextGeneration;
        recovery.Clear();
        string snapshot = _server.Persistence.Snapshots.Path;
        if (!Path.Exists(snapshot))
            return LogStart.Fresh(generation, needsBase: false);
        _server.Log.LogInformation(
            "There is no append-only log in {Folder}: a new one begins with the snapshot {Snapshot}",
            folder.Path,
            snapshot
        );
        _loader.LoadSnapshot(snapshot, keepsExpired: false);
        folder.Import(snapshot, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        Volatile.Write(ref _baseBytes, _loader.SnapshotBytes);
        return LogStart.Fresh(generation, needsBase: true) with { Base = generation };
    }

    // The manifest says that a log is being created until it contains the other server's data, so that a start after a crash in between
    // begins again with the other server's files.
    private void Import(ILogFolder folder, AppendLogRecovery recovery, AofFiles theirs, Action<long, long> progress)
    {
        recovery.Clear();
        _loader.Load(theirs, progress);
        if (RewriteNow() is { } problem)
        {
            throw new AppendOnlyLogException(
                folder.Path,
                0,
                "the data of the existing append-only files could not be written in this server's format: " + problem,
                "Free disk space, and start again"
            );
        }

        _server.Log.LogInformation("The append-only files of another server were imported into {Folder}", folder.Path);
    }

    // Only the operator can know which of the two has the newer data.
    private void RefuseBoth(AofFiles theirs, ILogFolder folder)
    {
        if (!theirs.HasManifest)
        {
            _server.Log.LogWarning("{File} is not loaded, because {Folder} contains this server's own log", theirs.Marker, folder.Path);
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

    private void MoveToBackup(AofFiles theirs, AppendOnlyLog holder)
    {
        try
        {
            string target = theirs.MoveToBackup();
            holder.ClearImportedFrom();
            _server.Log.LogInformation("The append-only files that this server's log has replaced are kept in {Folder}", target);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _server.Log.LogWarning(
                "{File} and its related files cannot be moved away: {Problem}. Their data is in this server's log; the next start tries again",
                theirs.Marker,
                e.Message
            );
        }
    }

    private AppendOnlyLog Open(ILogFolder folder, LogStart start) =>
        new(
            folder,
            start,
            _server.Replication.Effects.Stream,
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
        _present.Log = attached;
        attached?.Attach();
        _server.Replication.Effects.IsLogging = attached is not null;
        ApplyFsync(Options);
    }

    private void ApplyFsync(GarnetOptions options)
    {
        if (_present.Log is { } open)
            open.Fsync = options.AppendFsync;
        ReplyGate = options.AppendFsync == AppendFsync.Always ? _present.Log : null;
    }

    /// <summary>
    /// Turns the log on or off after all changes requested before; completes when later writes are logged, or no longer, with the error
    /// that prevented it.
    /// </summary>
    private Task<string?> SwitchAsync(bool isOn)
    {
        Interlocked.Increment(ref _switchesDue);
        // A save that is requested from here on sees the switch.
        _saving?.Cancel();
        TaskCompletionSource<string?> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _changes.Add(() =>
        {
            Interlocked.Decrement(ref _switchesDue);
            if (_ending.IsCancellationRequested)
                done.SetResult(ShuttingDown);
            else if (isOn)
                TurnOn(done);
            else
                RunReported(() => TurnOff(), done);
        });
        return done.Task;
    }

    // Effects are logged from here on; what was there before becomes the log's base afterwards.
    private void TurnOn(TaskCompletionSource<string?> done)
    {
        MarkRewriting();
        if (_present.Log is null)
            RunReported(BeginLog, done);
        else
            done.SetResult(null);
        if (_present.Log is not null && _state == AppendOnlyState.AwaitingBase)
            Rewrite();
        else
            _isRewriting = false;
    }

    private void BeginLog()
    {
        ILogFolder folder = OpenFolder();
        _lease ??= _server.Persistence.Locks.TakeLog(Options);
        try
        {
            int generation = AppendLogRecovery.HighestGeneration(folder, Options.AppendFileName) + 1;
            AppendOnlyLog fresh = Open(folder, LogStart.Fresh(generation, needsBase: true));
            Start(fresh);
            using StoreSession session = _server.Store.OpenSession();
            session.RunExclusive(() => BeginGeneration(fresh));
        }
        finally
        {
            if (_present.Log is null)
                ReleaseFiles();
        }
    }

    private void RunReported(Action change, TaskCompletionSource<string?> done)
    {
        try
        {
            change();
            done.SetResult(null);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or AppendOnlyLogException)
        {
            _server.Log.LogError("The append-only log could not be turned on or off: {Problem}", e.Message);
            done.SetResult(e is AppendOnlyLogException refused ? refused.Problem : e.Message);
        }
    }

    private void TurnOff()
    {
        _present.Unopened = null;
        _present.DeniedUntilBase = null;
        if (_present.Log is not { } closing)
        {
            ReleaseFiles();
            return;
        }

        using (StoreSession session = _server.Store.OpenSession())
            session.RunExclusive(() => Attach(null));
        _state = AppendOnlyState.Off;
        closing.Close(ClosePatience);
        closing.Dispose();
        ReleaseFiles();
        _server.Log.LogInformation("The append-only log is off; its files are kept");
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
            if (_present.Log is null)
                ReleaseFiles();
            _isRewriting = false;
        }
    }

    // Returns null, or the error.
    private string? RewriteNow()
    {
        ILogFolder folder = OpenFolder();
        // After a failure nothing is acknowledged until a snapshot contains what the disk may have lost.
        AppendOnlyLog? former = _present.Log is { IsFailed: true } ? _present.Log : null;
        if (former is not null)
            _present.DeniedUntilBase = former.Problem;
        AppendOnlyLog? fresh = null;
        bool isFirstBase = _present.Log is not { IsFailed: false, HasBase: true };
        int generation;
        if (_present.Log is { IsFailed: false } current)
        {
            generation = current.Generation + 1;
        }
        else
        {
            _lease ??= _server.Persistence.Locks.TakeLog(Options);
            generation = Math.Max(AppendLogRecovery.HighestGeneration(folder, Options.AppendFileName), _present.Log?.Generation ?? 0) + 1;
            fresh = Open(folder, LogStart.Fresh(generation, needsBase: true));
            if (TryStart(fresh) is { } refused)
                return refused;
        }

        string path = Path.Combine(folder.Path, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        SaveOutcome outcome;
        try
        {
            outcome = Save(path, () => BeginGeneration(fresh));
        }
        finally
        {
            // The save ended before it began.
            if (fresh is not null && _present.Log != fresh)
                fresh.Dispose();
        }

        former?.Dispose();
        // Not a failure: it is not wanted any more, or the next change begins another one.
        if (outcome.Result != SaveResult.Success)
            return IsHurried ? null : outcome.Error ?? "the snapshot was cancelled";

        if (Finish(folder, generation, outcome, isFirstBase) is { } problem)
            return problem;
        // Logging is off, and only the files were requested.
        if (fresh is not null && !Options.AppendOnly)
            TurnOff();
        return null;
    }

    // Under the barrier: from here on effects belong to the new generation, and the snapshot contains everything before.
    private void BeginGeneration(AppendOnlyLog? fresh)
    {
        if (fresh is null)
        {
            _present.Log!.BeginGeneration();
            return;
        }

        _state = AppendOnlyState.AwaitingBase;
        Attach(fresh);
    }

    // Returns null, or the error.
    private string? Finish(ILogFolder folder, int generation, SaveOutcome outcome, bool isFirstBase)
    {
        AppendOnlyLog current = _present.Log!;
        // Older generations may be deleted once the new one exists.
        bool isOpen = current.GenerationOpenedAsync(generation, _ending.Token).GetAwaiter().GetResult();
        if (current.IsFailed)
            return current.Problem;
        if (!isOpen)
            return ShuttingDown;
        // A log that begins now contains the data of the files in the folder, or replaces it.
        AofFiles? theirs = isFirstBase ? AofFiles.Find(Options) : null;

        if (current.SetBase(generation, theirs?.Identity ?? "") is { } problem)
            return problem;
        if (theirs is not null)
            MoveToBackup(theirs, current);
        _present.DeniedUntilBase = null;
        _state = AppendOnlyState.On;
        DeleteBefore(folder, generation);
        current.ResetClosedBytes();
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

    // Files that cannot be deleted only occupy space; deletion is retried at the next rewrite and the next start. They are no longer
    // needed.
    private void DeleteBefore(ILogFolder folder, int generation)
    {
        try
        {
            AppendLogRecovery.DeleteBefore(
                folder,
                Options.AppendFileName,
                generation,
                GradualDeletion.HurriedWhen(() => _ending.IsCancellationRequested)
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _server.Log.LogWarning("Files of the append-only log from before the rewrite cannot be deleted: {Problem}", e.Message);
        }
    }

    private void ReleaseFiles() => Interlocked.Exchange(ref _lease, null)?.Dispose();

    private SaveOutcome Save(string path, Action atFlip)
    {
        SaveRequest request = new()
        {
            Path = path,
            Compress = Options.RdbCompression,
            IsUrgent = _server.Persistence.IsLoading,
            Tag = this,
            Beside = _server.Scripts.Functions,
            AtFlip = () =>
            {
                atFlip();
                return _server.Replication.SnapshotProperties();
            },
        };
        // Not disposed: a switch may be about to cancel it.
        CancellationTokenSource saving = new();
        _saving = saving;
        _present.Log?.IsSyncSuspended = Options.NoAppendFsyncOnRewrite && Options.AppendFsync == AppendFsync.EverySecond;
        try
        {
            if (IsHurried)
                saving.Cancel();
            return _server.Persistence.Snapshots.Saver.SaveAsync(request, SaveTurn.Next, saving.Token).GetAwaiter().GetResult();
        }
        finally
        {
            _saving = null;
            _present.Log?.IsSyncSuspended = false;
        }
    }

    private static void Start(AppendOnlyLog fresh)
    {
        try
        {
            fresh.Start();
        }
        catch (AppendOnlyLogException)
        {
            fresh.Dispose();
            throw;
        }
    }

    // Returns null, or the error: the data is unchanged, and the start is retried.
    private static string? TryStart(AppendOnlyLog fresh)
    {
        try
        {
            Start(fresh);
            return null;
        }
        catch (AppendOnlyLogException e)
        {
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

    private void RunChange(Action change) =>
        _changes.Add(() =>
        {
            try
            {
                if (!_ending.IsCancellationRequested)
                    change();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or AppendOnlyLogException)
            {
                // A disk error does not end the server, and there is no caller to report it to.
                _server.Log.LogError("The append-only log could not be changed: {Problem}", e.Message);
            }
        });
}
