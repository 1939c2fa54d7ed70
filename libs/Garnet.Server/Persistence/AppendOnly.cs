// The append-only log of one server: read at the start, turned on and off, rewritten. Thread-safe; changes are made one at a time, on a thread of their own.
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Commands;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Persistence;

/// <summary>
/// A rewrite is a snapshot and a new generation of the log that begins at the very same point; when the snapshot is durable, older generations are deleted. Turning the log on is a
/// rewrite whose generation has none before it, and so is starting again after the disk has failed.
/// </summary>
public sealed class AppendOnly : IDisposable
{
    private const long RetrySeconds = 10;
    private const long MsPerSecond = 1000;

    private static readonly TimeSpan ClosePatience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan CancelPeriod = TimeSpan.FromMilliseconds(20);

    private readonly RespServer server;
    private readonly Func<string, ILogFolder> openFolder;
    private readonly SemaphoreSlim changing = new(1);
    private readonly RewriteStatistics statistics = new();
    private volatile AppendLog? log;
    private volatile string? deniedUntilBase;
    private volatile bool isRewriting;
    private volatile bool isScheduled;
    private volatile AppendOnlyState state;
    private long baseBytes;
    private long olderBytes;
    private long sizeAfterRewrite;
    private long lastTryMs;
    private long rewriteStartedMs;
    private volatile bool isDisposed;

    /// <summary>Makes the log's keeper; nothing is logged yet.</summary>
    /// <param name="server">The server.</param>
    /// <param name="openFolder">Makes the folder of a path; the file system's when null.</param>
    public AppendOnly(RespServer server, Func<string, ILogFolder>? openFolder = null)
    {
        this.server = server;
        this.openFolder = openFolder ?? (static path => new LogFolder(path));
        server.Configuration.OnChange("appendonly", options => RunChange(options.AppendOnly ? TurnOn : TurnOff));
        server.Configuration.OnChange("appendfsync", ApplyFsync);
    }

    /// <summary>The log that effects go to; null while nothing is logged.</summary>
    public AppendLog? Log => log;

    /// <summary>The log when replies have to wait for it; null when none do.</summary>
    internal AppendLog? ReplyGate { get; private set; }

    /// <summary>What the log is doing.</summary>
    public AppendOnlyState State => state;

    /// <summary>True while a rewrite runs.</summary>
    public bool IsRewriting => isRewriting;

    /// <summary>True while a rewrite waits for a snapshot to end.</summary>
    public bool IsScheduled => isScheduled;

    /// <summary>How rewrites went.</summary>
    public RewriteStatistics Rewrites => statistics;

    /// <summary>Seconds that the rewrite under way has taken; -1 when there is none.</summary>
    public long CurrentRewriteSeconds => isRewriting ? (NowMs - Volatile.Read(ref rewriteStartedMs)) / MsPerSecond : -1;

    /// <summary>Bytes of snapshot and log.</summary>
    public long CurrentBytes => Volatile.Read(ref baseBytes) + Volatile.Read(ref olderBytes) + (log?.FileBytes ?? 0);

    /// <summary>What <see cref="CurrentBytes"/> was after the last rewrite; after a start the size of the snapshot alone.</summary>
    public long SizeAfterRewrite => Volatile.Read(ref sizeAfterRewrite);

    /// <summary>What keeps the log from being written, in the system's words; null when nothing does.</summary>
    public string? WriteProblem => log?.Problem ?? deniedUntilBase;

    /// <summary>The error that writes get now; empty when they are let in.</summary>
    public ReadOnlySpan<byte> WriteDenial => log is null || WriteProblem is not { } problem ? default : ErrorText.LogFailed(problem);

    private long NowMs => server.Time.GetUtcNow().ToUnixTimeMilliseconds();

    private GarnetOptions Options => server.Configuration.Current;

    private ILogFolder OpenFolder() => openFolder(Path.Combine(Options.Dir, Options.AppendDirName));

    /// <summary>
    /// Brings the data back and opens the log, at the start, when appendonly is yes: the log's own snapshot and what follows it; or, when there is no log yet, the snapshot of the server, which then is the base.
    /// </summary>
    /// <param name="progress">Told how many bytes were read of how many.</param>
    /// <exception cref="AppendLogException">The log cannot be read or written.</exception>
    public void Load(Action<long, long> progress)
    {
        ILogFolder folder = OpenFolder();
        AppendLogRecovery recovery = new(folder, Options.AppendFileName);
        LogStart start = recovery.Exists ? Replay(recovery, trims: true, progress) : BeginNew(folder, recovery.NextGeneration);
        AppendLog opened = Open(folder, start);
        opened.Start();
        opened.HasBase = true;
        using StoreSession session = server.Store.OpenSession();
        server.Store.RunExclusive(session, () => Attach(opened));
        state = AppendOnlyState.On;
        // A server that is started again before its log has doubled must not count growth from anew each time: its log would never be rewritten.
        Volatile.Write(ref sizeAfterRewrite, Volatile.Read(ref baseBytes));
        server.Log.LogInformation("Appending to {Folder}, generation {Generation}", folder.Path, start.Generation);
    }

    /// <summary>Asks for a rewrite. It begins at once, or when the snapshot under way has ended; false when one runs already.</summary>
    /// <param name="mayNotBegin">Whether it must not begin at once in any case.</param>
    /// <param name="isDelayed">Whether it has to wait.</param>
    public bool TryBeginRewrite(bool mayNotBegin, out bool isDelayed)
    {
        isDelayed = false;
        if (isRewriting)
            return false;
        isDelayed = mayNotBegin || server.Snapshots.Saver.Progress is not null;
        if (isDelayed)
        {
            isScheduled = true;
            return true;
        }

        MarkRewriting();
        RunChange(Rewrite);
        return true;
    }

    /// <summary>Begins what is due: a rewrite by growth, one that was asked for during a snapshot, or one more try. Called by the clock.</summary>
    public void Tick()
    {
        if (isRewriting || server.Snapshots.Saver.Progress is not null || server.IsLoading)
            return;
        bool isRetry = log is not null && (state == AppendOnlyState.AwaitingBase || log.IsFailed) && NowMs - Volatile.Read(ref lastTryMs) > RetrySeconds * MsPerSecond;
        if (!isScheduled && !isRetry && !HasGrown())
            return;
        isScheduled = false;
        MarkRewriting();
        RunChange(Rewrite);
    }

    /// <summary>Writes and syncs what is logged, and closes the log. Sessions must have ended.</summary>
    public void Dispose()
    {
        // A change under way is given up: a rewrite may have a slow pace, or wait for a disk that is full.
        isDisposed = true;
        while (!changing.Wait(CancelPeriod))
        {
            if (server.Snapshots.Saver.Order?.Tag == this)
                server.Snapshots.Saver.Cancel();
        }

        log?.Close(ClosePatience);
        log?.Dispose();
        changing.Release();
    }

    private bool HasGrown()
    {
        long percentage = Options.AutoAofRewritePercentage;
        long size = CurrentBytes;
        if (log is null || log.IsFailed || percentage == 0 || size < Options.AutoAofRewriteMinSizeBytes)
            return false;
        long since = Math.Max(1, SizeAfterRewrite);
        return (size - since) * 100.0 / since >= percentage && NowMs - Volatile.Read(ref lastTryMs) > statistics.RetryDelayMs;
    }

    /// <summary>
    /// Throws the data away and brings them back from the files (DEBUG LOADAOF). Meanwhile other commands are refused as while loading. Answers what went wrong, or null; then the data are incomplete.
    /// </summary>
    public Task<string?> ReloadAsync() => Task.Run(Reload);

    private string? Reload()
    {
        changing.Wait();
        try
        {
            // Without a log being written the files that a rewrite left are read.
            AppendLog? current = log;
            if (current is { IsFailed: true } || isDisposed)
                return "the append-only log has failed";
            if (current is null && !new AppendLogRecovery(OpenFolder(), Options.AppendFileName).Exists)
                return "there is no append-only log";
            server.Loading = new LoadingStatus(server.Time.GetUtcNow().ToUnixTimeSeconds());
            using StoreSession session = server.Store.OpenSession();
            // From here on nobody is inside a command, and nothing that expires or is loaded is logged once more.
            server.Store.RunExclusive(session, () => server.Store.Sink = null);
            while (current is not null && current.Written < current.Appended && !current.IsFailed && !isDisposed)
                Thread.Sleep(1);
            if (isDisposed)
                return "the server ends";
            server.Store.FlushAll(session);
            Replay(new AppendLogRecovery(OpenFolder(), Options.AppendFileName), trims: false, static (_, _) => { });
            server.Snapshots.NoteLoaded();
            server.Store.RunExclusive(session, () => server.Store.Sink = current);
            return null;
        }
        catch (AppendLogException e)
        {
            server.Log.LogError("{Problem}", e.Message);
            return e.Message;
        }
        finally
        {
            server.Loading = null;
            changing.Release();
        }
    }

    private LogStart Replay(AppendLogRecovery recovery, bool trims, Action<long, long> progress)
    {
        server.Store.IsClockStopped = true;
        try
        {
            return ReplayAll(recovery, trims, progress);
        }
        finally
        {
            server.Store.IsClockStopped = false;
        }
    }

    private LogStart ReplayAll(AppendLogRecovery recovery, bool trims, Action<long, long> progress)
    {
        if (recovery.BasePath is { } path)
        {
            // What follows in the log may be about keys that have expired since.
            Volatile.Write(ref baseBytes, new FileInfo(path).Length);
            progress(0, baseBytes + recovery.TotalBytes);
            LoadSnapshot(path, keepsExpired: true);
        }

        using EffectReplay replay = new(server, Environment.ProcessorCount, () => progress(baseBytes + recovery.ReadBytes, baseBytes + recovery.TotalBytes));
        LogEnd end = recovery.Read(replay, Options.AofLoadTruncated);
        if (end.Truncation is { } truncation)
            server.Log.LogWarning("The end of the append-only log is lost: {File} is whole up to byte {Position}, {Bytes} bytes behind it are not", truncation.File, truncation.Position, truncation.LostBytes);
        if (trims)
        {
            recovery.Trim();
            Volatile.Write(ref olderBytes, end.Bytes);
        }

        server.Log.LogInformation("Replayed {Effects} effects, {Bytes} bytes, from the append-only log; {Errors} of them failed, as they had before", replay.Effects, end.Bytes, replay.Errors);
        return new LogStart(end.LogId, recovery.NextGeneration, end.Offset, NeedsBase: false);
    }

    private void LoadSnapshot(string path, bool keepsExpired)
    {
        RdbLoader loader = new(server.Store, new RdbLoadOptions { KeepsExpired = keepsExpired, VerifiesChecksum = Options.RdbChecksum });
        if (server.Loading is { } status)
            status.Snapshot = loader.Progress;
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1);
            RdbLoadResult result = loader.Load(file);
            server.Log.LogInformation("Loaded {Keys} keys from {Path}", result.Keys, path);
        }
        catch (RdbFormatException e)
        {
            throw new AppendLogException(path, e.Offset, e.Reason, "Restore the file from a copy; without it the log cannot be read");
        }
        finally
        {
            server.Loading?.EndSnapshot();
        }
    }

    // The first start with a log: what the server's snapshot holds must be in the log's base, or the next start would not find it.
    private LogStart BeginNew(ILogFolder folder, int generation)
    {
        string snapshot = server.Snapshots.Path;
        if (!File.Exists(snapshot))
            return LogStart.Fresh(generation, needsBase: false);
        LoadSnapshot(snapshot, keepsExpired: false);
        folder.Import(snapshot, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        Volatile.Write(ref baseBytes, new FileInfo(snapshot).Length);
        return LogStart.Fresh(generation, needsBase: true);
    }

    private AppendLog Open(ILogFolder folder, LogStart start) => new(folder, start, new AppendLogOptions
    {
        Prefix = Options.AppendFileName,
        Fsync = Options.AppendFsync,
        Report = text => server.Log.LogWarning("{Report}", text),
    });

    // Under the barrier.
    private void Attach(AppendLog? attached)
    {
        log = attached;
        server.Store.Sink = attached;
        ApplyFsync(Options);
    }

    private void ApplyFsync(GarnetOptions options)
    {
        if (log is { } open)
            open.Fsync = options.AppendFsync;
        ReplyGate = options.AppendFsync == AppendFsync.Always ? log : null;
    }

    private void TurnOn()
    {
        if (log is null)
            Rewrite();
    }

    private void TurnOff()
    {
        if (log is not { } closing)
            return;
        using (StoreSession session = server.Store.OpenSession())
            server.Store.RunExclusive(session, () => Attach(null));
        state = AppendOnlyState.Off;
        deniedUntilBase = null;
        closing.Close(ClosePatience);
        closing.Dispose();
        server.Log.LogInformation("The append-only log is off; its files stay");
    }

    private void MarkRewriting()
    {
        Volatile.Write(ref rewriteStartedMs, NowMs);
        isRewriting = true;
    }

    private void Rewrite()
    {
        MarkRewriting();
        Volatile.Write(ref lastTryMs, NowMs);
        try
        {
            RewriteNow();
        }
        finally
        {
            isRewriting = false;
        }
    }

    private void RewriteNow()
    {
        ILogFolder folder = OpenFolder();
        // After a failure nothing is acknowledged until a snapshot holds what the disk may have lost.
        AppendLog? former = log is { IsFailed: true } ? log : null;
        if (former is not null)
            deniedUntilBase = former.Problem;
        AppendLog? fresh = null;
        int generation;
        if (log is { IsFailed: false } current)
        {
            generation = current.Generation + 1;
        }
        else
        {
            generation = Math.Max(AppendLogRecovery.HighestGeneration(folder, Options.AppendFileName), log?.Generation ?? 0) + 1;
            fresh = Open(folder, LogStart.Fresh(generation, needsBase: true));
            if (!TryStart(fresh))
                return;
        }

        string path = Path.Combine(folder.Path, AppendLogRecovery.BaseName(Options.AppendFileName, generation));
        SaveOutcome? outcome = Save(path, () => BeginGeneration(fresh));
        former?.Dispose();
        if (outcome is not { Result: SaveResult.Success })
        {
            NoteFailure(outcome?.Error ?? "the snapshot was cancelled");
            return;
        }

        Finish(folder, generation, outcome);
        // Logging is off, and only the files were asked for.
        if (fresh is not null && !Options.AppendOnly)
            TurnOff();
    }

    // Under the barrier: from here on effects belong to the new generation, and the snapshot holds what came before.
    private void BeginGeneration(AppendLog? fresh)
    {
        if (fresh is null)
        {
            log!.BeginGeneration();
            return;
        }

        state = AppendOnlyState.AwaitingBase;
        Attach(fresh);
    }

    private void Finish(ILogFolder folder, int generation, SaveOutcome outcome)
    {
        AppendLog current = log!;
        // Older generations may go when the new one is there.
        while (current.OpenGeneration < generation && !current.IsFailed && !isDisposed)
            Thread.Sleep(1);
        if (current.OpenGeneration < generation && !current.IsFailed)
            return;
        if (current.IsFailed)
        {
            NoteFailure(current.Problem!);
            return;
        }

        current.HasBase = true;
        deniedUntilBase = null;
        state = AppendOnlyState.On;
        AppendLogRecovery.DeleteBefore(folder, Options.AppendFileName, generation);
        current.ForgetBefore();
        Volatile.Write(ref olderBytes, 0);
        Volatile.Write(ref baseBytes, outcome.Bytes);
        Volatile.Write(ref sizeAfterRewrite, CurrentBytes);
        statistics.NoteSuccess((NowMs - Volatile.Read(ref rewriteStartedMs)) / MsPerSecond, outcome.PeakImageBytes);
        Trace(error: null);
        server.Log.LogInformation("The append-only log was rewritten: generation {Generation}, {Keys} keys, {Bytes} bytes", generation, outcome.Keys, outcome.Bytes);
    }

    private SaveOutcome? Save(string path, Action atFlip)
    {
        log?.IsSyncSuspended = Options.NoAppendFsyncOnRewrite && Options.AppendFsync == AppendFsync.EverySecond;
        using StoreSession session = server.Store.OpenSession();
        SaveOrder order = new()
        {
            Path = path,
            IsCompressing = Options.RdbCompression,
            Tag = this,
            AtFlip = () =>
            {
                atFlip();
                return null;
            },
        };
        Task<SaveOutcome> done;
        while (!server.Snapshots.Saver.TryStart(session, order, out done))
        {
            if (isDisposed)
                return null;
            Thread.Sleep(1);
        }

        SaveOutcome outcome = done.GetAwaiter().GetResult();
        log?.IsSyncSuspended = false;
        return outcome;
    }

    private bool TryStart(AppendLog fresh)
    {
        try
        {
            fresh.Start();
            return true;
        }
        catch (AppendLogException e)
        {
            // The disk's trouble: the data are as they were, and it is tried again.
            fresh.Dispose();
            NoteFailure(e.Message);
            return false;
        }
    }

    private void NoteFailure(string problem)
    {
        statistics.NoteFailure((NowMs - Volatile.Read(ref rewriteStartedMs)) / MsPerSecond);
        Trace(problem);
        server.Log.LogError("The append-only log could not be rewritten: {Problem}", problem);
    }

    private void Trace(string? error) =>
        server.Activities.Record("garnet.aof_rewrite", TimeSpan.FromMilliseconds(NowMs - Volatile.Read(ref rewriteStartedMs)), error, new KeyValuePair<string, object?>("garnet.bytes", CurrentBytes));

    // On a thread of its own: it waits for the barrier and for disks, and the caller may be inside a command.
    private void RunChange(Action change) => new Thread(() =>
    {
        changing.Wait();
        if (!isDisposed)
            change();
        changing.Release();
    })
    { IsBackground = true, Name = "log-change" }.Start();
}
