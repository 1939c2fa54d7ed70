// Rewrites of the append-only log. Run: one thread at a time, which is the queue of changes; the properties and Hurry: any thread.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence.Aof;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// A rewrite is a snapshot together with a new generation of the log that begins at the same point; when the snapshot is durable, older
/// generations are deleted.
/// </summary>
internal sealed class LogRewrite(
    ServerConfiguration configuration,
    LogOpener opener,
    SnapshotKeeper snapshots,
    LoadingState loading,
    RewriteStatistics statistics,
    ILogger log,
    CancellationToken ending
)
{
    private readonly LogPresence _present = opener.Present;
    private volatile CancellationTokenSource? _saving; // of the rewrite that saves now
    private volatile bool _isRunning;
    private volatile bool _isScheduled;
    private int _hurries;

    /// <summary>True while a rewrite runs, or is about to.</summary>
    public bool IsRunning => _isRunning;

    /// <summary>True while a rewrite waits for the end of a snapshot.</summary>
    public bool IsScheduled => _isScheduled;

    /// <summary>Statistics.</summary>
    public RewriteStatistics Statistics => statistics;

    /// <summary>Duration of the current one in seconds; -1 when there is none.</summary>
    public long CurrentSeconds => _isRunning ? statistics.SinceStartSeconds : -1;

    // A rewrite must not keep a change of the log, or the end of the server, waiting.
    private bool IsHurried => ending.IsCancellationRequested || Volatile.Read(ref _hurries) != 0;

    private GarnetOptions Options => configuration.Current;

    /// <summary>One begins as soon as no snapshot is being saved.</summary>
    public void Schedule() => _isScheduled = true;

    /// <summary>The scheduled one begins.</summary>
    public void Unschedule() => _isScheduled = false;

    /// <summary>One is about to begin: no other may.</summary>
    public void MarkRunning()
    {
        statistics.OnStart();
        _isRunning = true;
    }

    /// <summary>It does not begin after all.</summary>
    public void UnmarkRunning() => _isRunning = false;

    /// <summary>Something waits for the one under way, which gives up, until <see cref="EndHurry"/>.</summary>
    public void Hurry()
    {
        Interlocked.Increment(ref _hurries);
        // One that requests its save from here on sees the hurry.
        _saving?.Cancel();
    }

    /// <summary>Nothing waits for rewrites any more.</summary>
    public void EndHurry() => Interlocked.Decrement(ref _hurries);

    /// <summary>Rewrites the log; a failure is reported, counted and tried again later.</summary>
    public void Run()
    {
        MarkRunning();
        statistics.OnTry();
        try
        {
            if (TryRun() is { } problem)
                OnFailure(problem);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or AppendOnlyLogException)
        {
            OnFailure(e.Message);
        }
        finally
        {
            if (_present.Log is null)
                opener.ReleaseFiles();
            _isRunning = false;
        }
    }

    /// <summary>Rewrites the log. Returns null, or the error.</summary>
    public string? TryRun()
    {
        ILogFolder folder = opener.OpenFolder();
        AppendOnlyLog? continued = _present.Log is { IsFailed: false } ? _present.Log : null;
        // After a failure nothing is acknowledged until a snapshot contains what the disk may have lost.
        AppendOnlyLog? former = continued is null ? _present.Log : null;
        if (former is not null)
            _present.Deny(former.Problem!);
        bool isFirstBase = continued is not { HasBase: true };
        AppendOnlyLog? fresh = null;
        if (continued is null)
        {
            try
            {
                fresh = opener.OpenFresh(folder);
            }
            catch (AppendOnlyLogException e)
            {
                // The data is unchanged, and the start is retried.
                return e.Message;
            }
        }

        int generation = fresh?.Generation ?? (continued!.Generation + 1);
        string path = Path.Combine(folder.Path, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        SaveOutcome outcome;
        try
        {
            outcome = Save(path, fresh);
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
            opener.TurnOff();
        return null;
    }

    private SaveOutcome Save(string path, AppendOnlyLog? fresh)
    {
        // Not disposed: a change may be about to cancel it.
        CancellationTokenSource saving = new();
        _saving = saving;
        _present.Log?.IsSyncSuspended = Options.NoAppendFsyncOnRewrite && Options.AppendFsync == AppendFsync.EverySecond;
        try
        {
            if (IsHurried)
                saving.Cancel();
            return snapshots
                .SaveBaseAsync(path, loading.IsOn, owner: this, () => BeginGeneration(fresh), saving.Token)
                .GetAwaiter()
                .GetResult();
        }
        finally
        {
            _saving = null;
            _present.Log?.IsSyncSuspended = false;
        }
    }

    // Under the barrier: from here on effects belong to the new generation, and the snapshot contains everything before.
    private void BeginGeneration(AppendOnlyLog? fresh)
    {
        if (fresh is null)
            _present.Log!.BeginGeneration();
        else
            opener.Begin(fresh);
    }

    // Returns null, or the error.
    private string? Finish(ILogFolder folder, int generation, SaveOutcome outcome, bool isFirstBase)
    {
        AppendOnlyLog current = _present.Log!;
        // Older generations may be deleted once the new one exists.
        bool isOpen = current.GenerationOpenedAsync(generation, ending).GetAwaiter().GetResult();
        if (current.IsFailed)
            return current.Problem;
        if (!isOpen)
            return AppendOnly.ShuttingDown;
        // A log that begins now contains the data of the files in the folder, or replaces it.
        AofFiles? theirs = isFirstBase ? AofFiles.Find(Options) : null;

        if (current.SetBase(generation, theirs?.Identity ?? "") is { } problem)
            return problem;
        if (theirs is not null)
            opener.MoveToBackup(theirs, current);
        _present.Complete();
        DeleteBefore(folder, generation);
        _present.Sizes.OnRewrite(current, outcome.Bytes);
        statistics.OnSuccess(outcome.PeakImageBytes, _present.Sizes.Current);
        log.LogInformation(
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
            Func<bool> isHurried = GradualDeletion.HurriedWhen(() => ending.IsCancellationRequested);
            AppendLogRecovery.DeleteBefore(folder, Options.AppendFileName, generation, isHurried);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            log.LogWarning("Files of the append-only log from before the rewrite cannot be deleted: {Problem}", e.Message);
        }
    }

    private void OnFailure(string problem)
    {
        statistics.OnFailure(problem, _present.Sizes.Current);
        log.LogError("The append-only log could not be rewritten: {Problem}", problem);
    }
}
