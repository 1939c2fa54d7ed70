// Snapshots of one server: when they are taken, their results, and the consequences for clients. Thread-safe; the clock calls Tick.
using System.Diagnostics.CodeAnalysis;
using Garnet.Persistence.Files;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>Starts saves for commands, for the schedule and for the shutdown, and keeps the data for LASTSAVE and INFO.</summary>
internal sealed class SnapshotKeeper : IDisposable
{
    // After a failure the schedule waits before retrying, as in Valkey.
    private const long RetrySeconds = 5;
    private readonly HybridLogStore _store;
    private readonly ServerConfiguration _configuration;
    private readonly DataLocks _locks;
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private readonly ServerActivities _activities;
    private readonly StoreSession _session;
    private long _lastSaveSeconds;
    private long _successes;
    private long _lastTrySeconds;
    private long _lastDurationSeconds = -1;
    private long _savedChanges;
    private long _saves;
    private long _failures;
    private volatile bool _isScheduled;
    private volatile bool _hasFailed;
    private readonly ISavedBeside _functions;
    private readonly EffectFeed _effects;
    private readonly Action<Action> _changeOutcome;
    private readonly Lock _ticking = new();
    private bool _isDisposed; // under _ticking

    /// <summary>Creates the keeper of a server's snapshots; the store counts as saved.</summary>
    public SnapshotKeeper(
        Dataset data,
        EffectFeed effects,
        ServerConfiguration configuration,
        IDisk disk,
        DataLocks locks,
        TimeProvider time,
        ILogger log,
        ServerActivities activities,
        Action<Action> changeOutcome
    )
    {
        _store = data.Store;
        _functions = data.Functions;
        _effects = effects;
        _configuration = configuration;
        _locks = locks;
        _time = time;
        _log = log;
        _activities = activities;
        _changeOutcome = changeOutcome;
        _session = _store.OpenSession();
        _lastSaveSeconds = NowSeconds;
        Saver = new BackgroundSaver(_store, disk, time, () => configuration.Current.CheckpointThrottleFlushDelayMs);
        Saver.Started += OnStarted;
        Saver.Completed += OnCompleted;
    }

    /// <summary>Does the saving.</summary>
    public BackgroundSaver Saver { get; }

    /// <summary>Saves that succeeded.</summary>
    public long Successes => Volatile.Read(ref _successes);

    /// <summary>Unix seconds of the last successful save, initially of the start.</summary>
    public long LastSaveSeconds => Volatile.Read(ref _lastSaveSeconds);

    /// <summary>Whether the last save failed. A cancelled one changes nothing.</summary>
    public bool HasFailed => _hasFailed;

    /// <summary>The error of the last save; null when it succeeded.</summary>
    public string? LastError { get; private set; }

    /// <summary>The last save that ended, or null.</summary>
    public SaveOutcome? LastOutcome { get; private set; }

    /// <summary>Seconds the last save took; -1 before the first.</summary>
    public long LastDurationSeconds => Volatile.Read(ref _lastDurationSeconds);

    /// <summary>Saves begun.</summary>
    public long Saves => Volatile.Read(ref _saves);

    /// <summary>Saves failed.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Whether a save will begin as soon as it can.</summary>
    public bool IsScheduled => _isScheduled;

    /// <summary>Changes of keys that are in no successful save.</summary>
    public long UnsavedChanges => Math.Max(0, _store.Statistics.Changes - Volatile.Read(ref _savedChanges));

    /// <summary>Whether writes are to be rejected because a save failed.</summary>
    public bool IsDenyingWrites => _hasFailed && _configuration.Current is { StopWritesOnBgsaveError: true, Save.Count: > 0 };

    /// <summary>The snapshot's file.</summary>
    public string Path => PathIn(_configuration.Current);

    /// <summary>
    /// Progress of the current save into <see cref="Path"/>; null when there is none (though the saver may be working on another file).
    /// </summary>
    public SaveProgress? Progress => Saver.ProgressOf(this);

    /// <summary>The snapshot's file that options name.</summary>
    public static string PathIn(GarnetOptions options) => System.IO.Path.Combine(options.Dir, options.DbFileName);

    private long NowSeconds => _time.GetUtcNow().ToUnixTimeSeconds();

    /// <summary>
    /// Begins a save of the store's present content; false when one is in progress. If another server writes the file, the save fails at
    /// once.
    /// </summary>
    /// <param name="caller">The calling thread's session; it holds no latch.</param>
    /// <param name="isUrgent">True when a client waits for the end.</param>
    /// <param name="done">The end.</param>
    public bool TryBegin(StoreSession caller, bool isUrgent, out Task<SaveOutcome> done)
    {
        if (!TryTakeFile(isUrgent, out SaveRequest? request, out done))
            return true;
        if (Saver.TryStart(caller, request, out done))
            return true;
        request.Lease!.Dispose();
        return false;
    }

    /// <summary>Saves after ending any other save in progress. Cancelled if the server ends first, or by the token.</summary>
    public Task<SaveOutcome> SaveInsteadAsync(CancellationToken cancellation) =>
        TryTakeFile(isUrgent: true, out SaveRequest? request, out Task<SaveOutcome> refused)
            ? Saver.SaveAsync(request, SaveTurn.Instead, cancellation)
            : refused;

    /// <summary>
    /// Saves once a cancelled save of the snapshot file has ended. Any other save in progress continues, and this save is left to the
    /// schedule.
    /// </summary>
    public Task SaveNextAsync()
    {
        if (!TryTakeFile(isUrgent: true, out SaveRequest? request, out Task<SaveOutcome> done))
            return done;
        if (Saver.TrySaveAfterOwn(request, out done))
            return done;
        request.Lease!.Dispose();
        Schedule();
        return Task.CompletedTask;
    }

    /// <summary>
    /// Saves the base of a log, once the save in progress has ended. It is no snapshot of the schedule, nor of LASTSAVE.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="isUrgent">True when something waits for the end.</param>
    /// <param name="owner">Whose save it is.</param>
    /// <param name="atFlip">Called at the snapshot's point in time, while no command is running.</param>
    /// <param name="cancellation">Cancels the save.</param>
    public Task<SaveOutcome> SaveBaseAsync(string path, bool isUrgent, object owner, Action atFlip, CancellationToken cancellation) =>
        Saver.SaveAsync(
            new SaveRequest
            {
                Path = path,
                Compress = _configuration.Current.RdbCompression,
                IsUrgent = isUrgent,
                IsContinued = true,
                Tag = owner,
                Beside = _functions,
                AtFlip = () =>
                {
                    atFlip();
                    return _effects.SnapshotProperties();
                },
            },
            SaveTurn.Next,
            cancellation
        );

    /// <summary>Makes a save begin as soon as possible.</summary>
    public void Schedule() => _isScheduled = true;

    /// <summary>Cancels <see cref="Schedule"/>; false when nothing was scheduled.</summary>
    public bool Unschedule()
    {
        bool was = _isScheduled;
        _isScheduled = false;
        return was;
    }

    /// <summary>Cancels the current save of the snapshot file; false when there is none.</summary>
    public bool Cancel() => Saver.Cancel(this);

    /// <summary>Marks the store's content as saved, because it was just loaded.</summary>
    public void OnLoaded() => Volatile.Write(ref _savedChanges, _store.Statistics.Changes);

    /// <summary>Begins a save that is due by the schedule. Called by the clock.</summary>
    public void Tick()
    {
        // The clock's threads do not wait for each other.
        if (!_ticking.TryEnter())
            return;
        try
        {
            if (
                !_isDisposed
                && Saver.Progress is null
                && (!_hasFailed || NowSeconds - Volatile.Read(ref _lastTrySeconds) > RetrySeconds)
                && (_isScheduled || IsDue())
            )
            {
                TryBegin(_session, isUrgent: false, out _);
            }
        }
        finally
        {
            _ticking.Exit();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Saver.Dispose();
        lock (_ticking)
        {
            _isDisposed = true;
            _session.Dispose();
        }
    }

    // False when another server writes the file; the save has then failed.
    private bool TryTakeFile(bool isUrgent, [NotNullWhen(true)] out SaveRequest? request, out Task<SaveOutcome> refused)
    {
        GarnetOptions options = _configuration.Current;
        string path = Path;
        try
        {
            request = new SaveRequest
            {
                Path = path,
                Lease = _locks.TakeSnapshot(path),
                Compress = options.RdbCompression,
                HasChecksum = options.RdbChecksum,
                IsUrgent = isUrgent,
                IsBesideLog = options.AppendOnly,
                Tag = this,
                Beside = _functions,
                AtFlip = _effects.SnapshotProperties,
            };
            refused = Task.FromCanceled<SaveOutcome>(new CancellationToken(canceled: true));
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Also if the folder is not writable at all: the requester needs to know that the save failed.
            SaveOutcome failed = new()
            {
                Request = new SaveRequest { Path = path, Tag = this },
                Result = SaveResult.Failed,
                Error = e.Message,
            };
            OnTry();
            OnCompleted(failed);
            request = null;
            refused = Task.FromResult(failed);
            return false;
        }
    }

    private void OnTry()
    {
        _isScheduled = false;
        Volatile.Write(ref _lastTrySeconds, NowSeconds);
        Interlocked.Increment(ref _saves);
    }

    private bool IsDue()
    {
        IReadOnlyList<SavePoint> points = _configuration.Current.Save;
        if (points.Count == 0)
            return false;
        long changes = UnsavedChanges;
        long seconds = NowSeconds - LastSaveSeconds;
        foreach (SavePoint point in points)
        {
            if (changes >= point.Changes && seconds > point.Seconds)
            {
                _log.LogInformation("{Changes} changes in {Seconds} seconds: saving", point.Changes, point.Seconds);
                return true;
            }
        }

        return false;
    }

    private void OnStarted(SaveRequest request, SaveProgress progress)
    {
        if (request.Tag != this)
            return;
        OnTry();
        _log.LogInformation("Saving {Keys} keys to {Path}", progress.KeysTotal, request.Path);
    }

    private void OnCompleted(SaveOutcome outcome)
    {
        if (outcome.Request.Tag != this)
            return;
        _activities.Record(
            "garnet.checkpoint",
            outcome.Duration,
            outcome.Result == SaveResult.Success ? null : outcome.Error ?? "cancelled",
            new("garnet.keys", outcome.Keys),
            new("garnet.bytes", outcome.Bytes),
            new("garnet.path", outcome.Request.Path)
        );
        Volatile.Write(ref _lastDurationSeconds, (long)outcome.Duration.TotalSeconds);
        switch (outcome.Result)
        {
            case SaveResult.Success:
                Volatile.Write(ref _savedChanges, outcome.ChangesAtFlip);
                Volatile.Write(ref _lastSaveSeconds, NowSeconds);
                Interlocked.Increment(ref _successes);
                _changeOutcome(() => _hasFailed = false);
                LastError = null;
                _log.LogInformation(
                    "Saved {Keys} keys, {Bytes} bytes in {Seconds:F1} s to {Path}; overwritten values waiting to be saved used at most {ImageBytes} bytes",
                    outcome.Keys,
                    outcome.Bytes,
                    outcome.Duration.TotalSeconds,
                    outcome.Request.Path,
                    outcome.PeakImageBytes
                );
                break;
            case SaveResult.Failed:
                _changeOutcome(() => _hasFailed = true);
                LastError = outcome.Error;
                Interlocked.Increment(ref _failures);
                _log.LogError("Saving to {Path} failed after {Keys} keys: {Error}", outcome.Request.Path, outcome.Keys, outcome.Error);
                break;
            default:
                _log.LogInformation("Saving to {Path} was cancelled after {Keys} keys", outcome.Request.Path, outcome.Keys);
                break;
        }

        // Last, so that a reader that sees the outcome also sees its consequences.
        LastOutcome = outcome;
    }
}
