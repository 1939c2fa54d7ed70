// The append-only log of one server: loaded at the start, turned on and off, rewritten. Thread-safe; changes are made one at a time, on a
// separate thread.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// Decides when the log is turned on or off, rewritten or tried again, and makes these changes one after the other. Turning the log on is a
/// rewrite whose generation has no predecessor, and so is restarting the log after a disk failure.
/// </summary>
internal sealed class AppendOnly : IDisposable
{
    /// <summary>The error of whatever the end of the server keeps from being done.</summary>
    internal const string ShuttingDown = "the server is shutting down";

    private const string LogFailed = "the append-only log has failed";
    private const long RetryMs = 10_000;
    private const long SpaceCheckMs = 500;

    private readonly ServerConfiguration _configuration;
    private readonly Dataset _data;
    private readonly EffectFeed _effects;
    private readonly SnapshotKeeper _snapshots;
    private readonly LoadingState _loading;
    private readonly LogOpener _opener;
    private readonly LogPresence _present;
    private readonly LogRewrite _rewrite;
    private readonly LogContinuation _continuation;
    private readonly ILogger _log;
    private readonly ChangeQueue _changes = new();
    private readonly CancellationTokenSource _ending = new(); // the end of the server ends every wait for the disk
    private volatile string? _failedReload; // the data in memory is incomplete

    /// <summary>Creates the owner of the log; nothing is logged yet.</summary>
    public AppendOnly(
        ServerConfiguration configuration,
        Dataset data,
        EffectFeed effects,
        SnapshotKeeper snapshots,
        LoadingState loading,
        LogOpener opener,
        RewriteStatistics rewrites,
        ILogger log
    )
    {
        _configuration = configuration;
        _data = data;
        _effects = effects;
        _snapshots = snapshots;
        _loading = loading;
        _opener = opener;
        _present = opener.Present;
        _log = log;
        _rewrite = new LogRewrite(configuration, opener, snapshots, loading, rewrites, log, _ending.Token);
        _continuation = new LogContinuation(opener, _rewrite, data.Store, log);
        configuration.Apply(["appendonly"], options => SwitchAsync(options.AppendOnly));
        configuration.OnChange("appendfsync", opener.ApplyFsync);
    }

    /// <summary>The log that effects are appended to; null while nothing is logged.</summary>
    public AppendOnlyLog? Log => _present.Log;

    /// <summary>The log if replies have to wait for it; null otherwise.</summary>
    internal AppendOnlyLog? ReplyGate => _opener.ReplyGate;

    /// <summary>Whether effects are logged, or would be if the disk had space.</summary>
    public bool IsOn => _present.IsAny;

    /// <summary>The state of the log.</summary>
    public AppendOnlyState State => _present.Now.State;

    /// <summary>True while a rewrite runs.</summary>
    public bool IsRewriting => _rewrite.IsRunning;

    /// <summary>True while a rewrite waits for the end of a snapshot.</summary>
    public bool IsScheduled => _rewrite.IsScheduled;

    /// <summary>Statistics of rewrites.</summary>
    public RewriteStatistics Rewrites => _rewrite.Statistics;

    /// <summary>Duration of the current rewrite in seconds; -1 when there is none.</summary>
    public long CurrentRewriteSeconds => _rewrite.CurrentSeconds;

    /// <summary>Bytes of snapshot and log.</summary>
    public long CurrentBytes => _present.Sizes.Current;

    /// <summary>The value of <see cref="CurrentBytes"/> after the last rewrite; after a start the size of the snapshot alone.</summary>
    public long SizeAfterRewrite => _present.Sizes.AfterRewrite;

    /// <summary>The system's message for the error that prevents writing the log; null when there is none.</summary>
    public string? WriteProblem =>
        _failedReload ?? (_present.Now is var now ? now.Log?.Problem ?? now.DeniedUntilBase ?? now.Unopened?.Problem : null);

    /// <summary>The problem because of which writes are refused; null when they are allowed.</summary>
    public string? DenyingProblem => IsOn ? WriteProblem : null;

    /// <summary>
    /// Whether the data was loaded but the disk had no space for the log to continue: what is in memory must stay as it is in the files.
    /// </summary>
    public bool AwaitsSpace => State == AppendOnlyState.AwaitingSpace;

    // Whether there should be a base, or a log, that there is not; also when the disk had no space for the first base at the start.
    private bool IsOwing =>
        Log is { } open ? State == AppendOnlyState.AwaitingBase || open.IsFailed : Options.AppendOnly && Rewrites.HasTried;

    private bool HasGrown => _present.Sizes.HaveGrown(Options) && Rewrites.SinceTryMs > Rewrites.RetryDelayMs;

    private GarnetOptions Options => _configuration.Current;

    /// <summary>
    /// Loads the data and opens the log, at the start, when appendonly is yes: the log's own snapshot and the effects after it; or, when
    /// there is no log yet, the server's snapshot, which then becomes the base.
    /// </summary>
    /// <param name="loader">Reads the files.</param>
    /// <param name="progress">Called with the number of bytes read and the total.</param>
    /// <exception cref="AppendOnlyLogException">The log cannot be read or written.</exception>
    public void Load(LogLoader loader, Action<long, long> progress) =>
        new LogStartup(_configuration, loader, _opener, _rewrite, _continuation, _effects, _log).Load(progress);

    /// <summary>
    /// Requests a rewrite. It begins at once, or when the current snapshot has ended; false when a rewrite is running already.
    /// </summary>
    /// <param name="mayNotBegin">Whether it must not begin at once in any case.</param>
    /// <param name="isDelayed">Whether it has to wait.</param>
    public bool TryBeginRewrite(bool mayNotBegin, out bool isDelayed)
    {
        isDelayed = false;
        if (IsRewriting)
            return false;
        isDelayed = mayNotBegin || _snapshots.Saver.Progress is not null;
        if (isDelayed)
        {
            _rewrite.Schedule();
            return true;
        }

        _rewrite.MarkRunning();
        RunChange(_rewrite.Run);
        return true;
    }

    /// <summary>
    /// Begins a rewrite that is due: because of growth, because one was requested during a snapshot, or as a retry. Called by the clock.
    /// </summary>
    public void Tick()
    {
        if (IsRewriting || _snapshots.Saver.Progress is not null || _loading.IsOn)
            return;
        if (AwaitsSpace)
        {
            if (Rewrites.SinceTryMs > SpaceCheckMs)
                RunChange(_continuation.ContinueIfSpace);
            return;
        }

        // Incomplete data must not replace the content of the files.
        if (_failedReload is not null || !(IsScheduled || (IsOwing && Rewrites.SinceTryMs > RetryMs) || HasGrown))
            return;
        _rewrite.Unschedule();
        _rewrite.MarkRunning();
        RunChange(_rewrite.Run);
    }

    /// <summary>Writes and syncs the appended effects, and closes the log. Sessions must have ended.</summary>
    public void Dispose()
    {
        // A change in progress is abandoned: a rewrite may have a slow pace, or wait for a full disk.
        _ending.Cancel();
        _snapshots.Saver.Stop();
        _changes.WaitUntilIdle();
        if (Log is { } last)
            LogOpener.Close(last);
        SaveMark();
        Log?.Dispose();
        _opener.ReleaseFiles();
    }

    private void SaveMark()
    {
        if (Log is not { IsFailed: false, IsDurable: true, HasBase: true } log || !_effects.IsReplicating)
            return;
        try
        {
            EffectStream stream = _effects.Stream;
            new StreamMark(_effects.History.Id, stream.Position, stream.Database, log.Appended).Save(
                _opener.OpenFolder(),
                Options.AppendFileName
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _log.LogWarning("Replicas will need all data after the next start: {Problem}", e.Message);
        }
    }

    /// <summary>
    /// Discards the data and reloads it from the files (DEBUG LOADAOF). Meanwhile other commands are rejected as during loading. Returns
    /// the error, or null; after an error the data is incomplete.
    /// </summary>
    public Task<string?> ReloadAsync(LogLoader loader) => RunAloneAsync(() => Task.FromResult(Reload(loader)));

    /// <summary>
    /// Runs an operation that discards and reloads the data, excluding rewrites, changes of the log and other such operations.
    /// </summary>
    internal Task<string?> RunAloneAsync(Func<Task<string?>> reload) =>
        _changes.RunAsync(() => _ending.IsCancellationRequested ? ShuttingDown : reload().GetAwaiter().GetResult());

    /// <summary>
    /// Schedules a rewrite with the data now in memory, which was loaded without the log; does nothing while nothing is logged.
    /// </summary>
    internal void ScheduleRewrite()
    {
        if (Log is not null)
            _rewrite.Schedule();
    }

    /// <summary>
    /// Ends the log, whose data is about to be replaced; its files are kept until a new log is complete. Inside <see
    /// cref="RunAloneAsync"/>.
    /// </summary>
    internal void CloseForReplacement() => _opener.TurnOff();

    /// <summary>Begins a new log with the data now in memory, if there is to be one.</summary>
    internal void ScheduleReplacement()
    {
        if (Options.AppendOnly)
            _rewrite.Schedule();
    }

    private string? Reload(LogLoader loader)
    {
        try
        {
            // If no log is being written, the files left by a rewrite are read.
            AppendOnlyLog? current = Log;
            if (current is { IsFailed: true })
                return LogFailed;
            if (current is null && !new AppendLogRecovery(_opener.OpenFolder(), Options.AppendFileName).Exists)
                return "there is no append-only log";
            _loading.Begin();
            using StoreSession session = _data.Store.OpenSession();
            // From here on no command is running, and nothing that expires or is loaded is logged again.
            session.RunExclusive(() => _effects.IsPaused = true);
            bool isWritten = current is null || current.WrittenAsync(current.Appended, _ending.Token).GetAwaiter().GetResult();
            if (_ending.IsCancellationRequested)
                return ShuttingDown;
            if (!isWritten)
            {
                // The files lack what the memory has.
                session.RunExclusive(() => _effects.IsPaused = false);
                return LogFailed;
            }

            _data.Clear(session);
            loader.Replay(new AppendLogRecovery(_opener.OpenFolder(), Options.AppendFileName), trims: false, static (_, _) => { });
            _snapshots.OnLoaded();
            session.RunExclusive(() => _effects.IsPaused = false);
            _failedReload = null;
            return null;
        }
        catch (AppendOnlyLogException e)
        {
            _log.LogError("{Problem}", e.Message);
            _failedReload = "DEBUG LOADAOF has failed, and the data is incomplete: " + e.Message;
            return e.Message;
        }
        finally
        {
            _loading.End();
        }
    }

    /// <summary>
    /// Turns the log on or off after all changes requested before; completes when later writes are logged, or no longer, with the error
    /// that prevented it.
    /// </summary>
    private Task<string?> SwitchAsync(bool isOn)
    {
        _rewrite.Hurry();
        TaskCompletionSource<string?> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _changes.Add(() =>
        {
            _rewrite.EndHurry();
            if (_ending.IsCancellationRequested)
                done.SetResult(ShuttingDown);
            else if (isOn)
                TurnOn(done);
            else
                RunReported(_opener.TurnOff, done);
        });
        return done.Task;
    }

    // Effects are logged from here on; what was there before becomes the log's base afterwards.
    private void TurnOn(TaskCompletionSource<string?> done)
    {
        _rewrite.MarkRunning();
        if (Log is null)
            RunReported(BeginLog, done);
        else
            done.SetResult(null);
        if (State == AppendOnlyState.AwaitingBase)
            _rewrite.Run();
        else
            _rewrite.UnmarkRunning();
    }

    private void BeginLog()
    {
        try
        {
            AppendOnlyLog fresh = _opener.OpenFresh(_opener.OpenFolder());
            using StoreSession session = _data.Store.OpenSession();
            session.RunExclusive(() => _opener.Begin(fresh));
        }
        finally
        {
            if (Log is null)
                _opener.ReleaseFiles();
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
            _log.LogError("The append-only log could not be turned on or off: {Problem}", e.Message);
            done.SetResult(e is AppendOnlyLogException refused ? refused.Problem : e.Message);
        }
    }

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
                _log.LogError("The append-only log could not be changed: {Problem}", e.Message);
            }
        });
}
