// The append-only log: reads the stream of effects; a thread of the log writes what it reads and commits it in groups.
// Await and the properties: any thread. Start, Attach, Close and Dispose: one owner.
using System.Diagnostics;
using Garnet.Persistence.Effects;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Every byte of the log has one position, which differs from its position in the stream of effects by a constant, because the log may
/// have begun later. <see cref="Appended"/> is how far the store has appended, <see cref="Written"/> how far the operating system has the
/// log (a killed process loses the rest), <see cref="Durable"/> how far the disk has it (a power failure loses the rest).
/// </summary>
internal sealed class AppendOnlyLog : IEffectListener, IDisposable
{
    // Without a client waiting for durability, effects are collected for this long before they are written together.
    private static readonly TimeSpan GatherTime = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan SyncPeriod = TimeSpan.FromSeconds(1);

    // How often space is prepared for the next syncs.
    private static readonly TimeSpan PreparePeriod = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan PreparePause = TimeSpan.FromMilliseconds(1);

    // How often an idle log checks whether a full disk has space again, and whether effects arrived without a wake-up.
    private static readonly TimeSpan IdleTime = TimeSpan.FromMilliseconds(100);

    private readonly AppendOnlyLogOptions _options;
    private readonly ILogFolder _folder;
    private readonly LogHealth _health;
    private readonly LogStart _start;
    private readonly ManifestKeeper _manifest;
    private readonly LoggedRange _range = new();
    private readonly LogSource _source;
    private readonly DurabilityQueue _waiters = new();
    private readonly WaiterGathering _gathering;
    private readonly ManualResetEventSlim _work = new(initialState: false, spinCount: 0);
    private readonly ManualResetEventSlim _closes = new(initialState: false, spinCount: 0); // ends every pause
    private readonly Milestone _written;
    private readonly Milestone _opened;
    private readonly Thread _writing;
    private readonly Thread _syncing;
    private volatile GenerationWriter? _writer;
    private volatile TaskCompletionSource? _roomAvailable;
    private long _closedBytes;
    private long _durable;
    private long _syncStarted;
    private int _generation;
    private int _gathers;
    private int _notedSegment;
    private volatile bool _closing;
    private volatile bool _hasEnded;
    private long _syncTicks;

    /// <summary>Prepares a log; <see cref="Start"/> opens it, and <see cref="Attach"/> makes effects be logged.</summary>
    /// <param name="folder">The log's folder.</param>
    /// <param name="start">Where the log continues.</param>
    /// <param name="stream">The effects to be logged, from <see cref="Attach"/> on.</param>
    /// <param name="options">Settings.</param>
    public AppendOnlyLog(ILogFolder folder, LogStart start, EffectStream stream, AppendOnlyLogOptions options)
    {
        _folder = folder;
        _start = start;
        _options = options;
        Fsync = options.Fsync;
        _health = new LogHealth(folder, options.Report);
        _manifest = new ManifestKeeper(folder, options.Prefix, start, options.Report);
        _source = new LogSource(stream, start.Offset, _range);
        _range.BeginGeneration(start.Generation, start.Offset);
        _durable = start.Offset;
        _gathering = new WaiterGathering(_waiters);
        _written = new Milestone(start.Offset);
        _opened = new Milestone(start.Generation - 1);
        _generation = start.Generation;
        HasBase = start.IsComplete;
        _writing = new Thread(Write) { IsBackground = true, Name = "log" };
        _syncing = new Thread(SyncEachSecond) { IsBackground = true, Name = "log-sync" };
    }

    /// <summary>When the log is synced to disk.</summary>
    public AppendFsync Fsync { get; set; }

    /// <summary>While true nothing is synced, as if <see cref="Fsync"/> were <see cref="AppendFsync.No"/>.</summary>
    public bool IsSyncSuspended { get; set; }

    /// <summary>The effects that are logged.</summary>
    public EffectStream Stream => _source.Stream;

    /// <summary>Identity of the log.</summary>
    public ulong LogId => _start.LogId;

    /// <summary>The generation that effects appended now belong to.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>The newest generation whose file durably exists.</summary>
    public int OpenGeneration => (int)_opened.Value;

    /// <summary>
    /// Whether the data that the log continues can be recovered, from a snapshot or older generations. Until then new generations are
    /// marked as useless on their own.
    /// </summary>
    public bool HasBase { get; private set; }

    /// <summary>Position after the last effect appended.</summary>
    public long Appended => _source.Appended;

    /// <summary>Position up to which the operating system has the log.</summary>
    public long Written => _written.Value;

    /// <summary>Position up to which the log is durable.</summary>
    public long Durable => Volatile.Read(ref _durable);

    /// <summary>True when everything appended is durable.</summary>
    public bool IsDurable => Durable >= Appended;

    /// <summary>Bytes appended and not yet written.</summary>
    public long StagedBytes => _source.Lag;

    /// <summary>Bytes of the generations written since the log was opened.</summary>
    public long FileBytes => Volatile.Read(ref _closedBytes) + (_writer?.Bytes ?? 0);

    /// <summary>The system's message for the error that prevents writing; null when there is none.</summary>
    public string? Problem => _health.Problem;

    /// <summary>
    /// True once the disk has failed in a way after which nothing can be made durable; only a new log with a new base ends that.
    /// </summary>
    public bool IsFailed => _health.IsFailed;

    /// <summary>Syncs that took longer than their period, so that the next one was delayed.</summary>
    public long DelayedSyncs { get; private set; }

    /// <summary>Duration of the last synced write.</summary>
    public TimeSpan SyncTime => TimeSpan.FromTicks(Volatile.Read(ref _syncTicks));

    /// <summary>True while a once-per-second sync is running.</summary>
    public bool IsSyncing => Volatile.Read(ref _syncStarted) != 0;

    /// <summary>True when a writer may continue; otherwise it first awaits <see cref="SpaceAsync"/>, before taking any latch.</summary>
    public bool HasSpace => _source.Lag < _options.StagingBytes;

    private bool SyncsAlways => Fsync == AppendFsync.Always && !IsSyncSuspended;

    /// <summary>Creates the first generation's file and starts the threads.</summary>
    /// <exception cref="AppendOnlyLogException">The file cannot be created.</exception>
    public void Start()
    {
        GenerationWriter writer = new(_folder, _health, _options, _start.LogId, _start.Generation);
        string name = new LogFileName(_start.Generation, 0).Text(_options.Prefix);
        if (!writer.TryProbe())
        {
            string problem = Problem!;
            writer.Dispose();
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, name),
                0,
                problem,
                "Free disk space or fix the folder's permissions, and start again",
                _health.IsDiskFull
            );
        }

        // Failed writes are normally retried indefinitely; here a caller waits that can be given the error.
        _health.LimitTries(_options.StartPatience);
        if (!writer.TryOpen(_start.Offset, _start.NeedsBase) || !writer.TryReserve())
        {
            writer.Dispose();
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, name),
                0,
                Problem ?? "the log was stopped",
                "Check the disk, and start again",
                _health.IsDiskFull
            );
        }

        if (_manifest.Begin(_start.Generation, _start.Offset) is { } refused)
        {
            writer.Dispose();
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, LogManifest.NameOf(_options.Prefix)),
                0,
                refused,
                "Free disk space or fix the folder's permissions, and start again",
                _manifest.IsDiskFull
            );
        }

        _health.LimitTries(Timeout.InfiniteTimeSpan);
        _writer = writer;
        _opened.Raise(_start.Generation);
        _writing.Start();
        _syncing.Start();
    }

    /// <summary>Effects from here on are logged. While no command is running.</summary>
    public void Attach() => _source.Attach(this);

    /// <inheritdoc/>
    public void OnAppended()
    {
        if (!_work.IsSet && Fsync != AppendFsync.Always)
            _work.Set();
    }

    /// <summary>
    /// Ends the current generation at the stream's present position, and begins the next. Must be called while no command is running, so
    /// that the position is one point in time: a snapshot of that moment is the base of the generation returned.
    /// </summary>
    public int BeginGeneration()
    {
        int next = Interlocked.Increment(ref _generation);
        _source.Mark(next);
        _work.Set();
        return next;
    }

    /// <summary>
    /// Records that the snapshot of the generation begun last is durable: it and everything after it suffice for a start, and older files
    /// may be deleted.
    /// </summary>
    /// <param name="generation">Its number; <see cref="OpenGeneration"/> has reached it.</param>
    /// <param name="importedFrom">See <see cref="LogManifest.ImportedFrom"/>.</param>
    /// <returns>Null, or the error that prevented recording it; older files are then still needed.</returns>
    public string? SetBase(int generation, string importedFrom = "")
    {
        if (_manifest.SetBase(generation, importedFrom) is { } problem)
            return problem;
        HasBase = true;
        _range.ForgetBefore(generation);
        return null;
    }

    /// <summary>
    /// A reader of the stream that begins at a position which is in the files, or is about to be; null when it is neither. It can fail
    /// after the next rewrite.
    /// </summary>
    public LoggedStreamReader? TryRead(long position) =>
        position >= _range.First && position <= Stream.Position ? new LoggedStreamReader(_folder, _options, this, _range, position) : null;

    /// <summary>The files that the log was imported from have been moved away.</summary>
    public void ClearImportedFrom() => _manifest.ClearImportedFrom();

    /// <summary>Files of generations before the current one were deleted: their bytes no longer count.</summary>
    public void ResetClosedBytes() => Volatile.Write(ref _closedBytes, 0);

    /// <summary>Completes when there is space for more effects.</summary>
    public Task SpaceAsync()
    {
        TaskCompletionSource wanted = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource waiting = Interlocked.CompareExchange(ref _roomAvailable, wanted, null) ?? wanted;
        if (HasSpace)
            ReleaseWriters();
        _work.Set();
        return waiting.Task;
    }

    /// <summary>
    /// Completes with true when the operating system has the log up to a position; with false when it never will, or the wait is cancelled.
    /// </summary>
    public Task<bool> WrittenAsync(long position, CancellationToken cancellation) => _written.ReachedAsync(position, cancellation);

    /// <summary>
    /// Completes with true when <see cref="OpenGeneration"/> reaches a generation; with false when it never will, or the wait is cancelled.
    /// </summary>
    public Task<bool> GenerationOpenedAsync(int generation, CancellationToken cancellation) =>
        _opened.ReachedAsync(generation, cancellation);

    /// <summary>
    /// Notifies the waiter once the log is durable up to a position; returns false, without notifying it, when that is already the case or
    /// never will be.
    /// </summary>
    /// <param name="offset">Position in the stream.</param>
    /// <param name="waiter">The waiter to notify.</param>
    /// <param name="isGathered">
    /// Whether the waiter represents all clients that would arrive about now, so that the group need not wait for others.
    /// </param>
    public bool Await(long offset, IDurabilityWaiter waiter, bool isGathered = false)
    {
        if (IsFailed || _hasEnded || Durable >= offset)
            return false;
        _waiters.Add(offset, waiter);
        if (!isGathered)
            Volatile.Write(ref _gathers, 1);
        _work.Set();
        // Between the check and the enqueueing the position may have become durable, or the log may have failed or ended.
        if (IsFailed || _hasEnded || Durable >= offset)
            return !_waiters.TryRemove(offset, waiter);
        return true;
    }

    /// <summary>
    /// Writes and syncs everything appended, ends the generation and closes the files. Gives up on an unresponsive disk after
    /// <paramref name="patience"/>.
    /// </summary>
    public void Close(TimeSpan patience)
    {
        if (_writer is null || _closing)
            return;
        _closing = true;
        _work.Set();
        _closes.Set();
        if (!_writing.Join(patience))
            _health.Stop();
        bool hasEnded = _writing.Join(patience) && _syncing.Join(patience);
        _hasEnded = true;
        ReleaseAll();
        if (hasEnded)
            _writer.Dispose();
        else
            _options.Report("The append-only log is abandoned because the disk does not respond. The most recent writes may be lost");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Close(TimeSpan.FromSeconds(10));
        _health.Stop();
    }

    private void Write()
    {
        while (!_closing)
        {
            WaitForWork();
            if (!TryWriteStaged())
                break;
        }

        if (!_health.IsFailed && TryWriteStaged() && _writer!.TryClose(Written))
        {
            MarkDurable(Written);
            _manifest.Raise(Written);
        }

        _hasEnded = true;
        _source.Detach();
        ReleaseAll();
    }

    private void WaitForWork()
    {
        while (!_work.Wait(IdleTime) && _source.Lag == 0)
        {
            _source.Skip();
            if (_health.Problem is not null && !_health.IsFailed)
                _writer!.TryReserve();
        }

        if (SyncsAlways)
        {
            if (Interlocked.Exchange(ref _gathers, 0) != 0)
                _gathering.Wait(SyncTime);
        }
        else if (!_closing && _source.Lag < _options.StagingBytes / 8)
        {
            _closes.Wait(GatherTime);
        }

        _work.Reset();
    }

    // False when the log was stopped or has failed.
    private bool TryWriteStaged()
    {
        long target = _source.Appended;
        while (true)
        {
            if (_health.IsFailed || (_source.TryTakeMark(out int generation) && !TryRoll(generation, _source.Position)))
                return Abandon();
            ReadOnlyMemory<byte> piece = _source.Position < target ? _source.Peek() : default;
            if (piece.IsEmpty)
            {
                _source.Skip();
                return TryCommit(_source.Position);
            }

            _writer!.Write(piece, _source.Position, Durable);
            _source.Advance(piece.Length);
            ReleaseRoomIfAny();
        }
    }

    private bool TryCommit(long end)
    {
        bool sync = SyncsAlways && Durable < end;
        if (end == Written && !sync)
            return !_health.IsFailed;
        long start = Stopwatch.GetTimestamp();
        if (!_writer!.TryCommit(sync, out bool synced))
            return Abandon();
        if (sync)
            Volatile.Write(ref _syncTicks, Stopwatch.GetElapsedTime(start).Ticks);
        _written.Raise(end);
        if (synced)
            MarkDurable(end);
        else if (_health.IsFailed)
            return Abandon();
        return true;
    }

    private bool TryRoll(int generation, long end)
    {
        if (!TryCommit(end) || !_writer!.TryClose(end))
            return false;
        MarkDurable(end);
        GenerationWriter next = new(_folder, _health, _options, _start.LogId, generation);
        GenerationWriter old = _writer;
        Volatile.Write(ref _closedBytes, _closedBytes + old.Bytes);
        _writer = next;
        old.Dispose();
        if (!next.TryOpen(end, !HasBase))
            return false;
        // If this write fails, recovery finds the generation without the manifest, which is written later.
        _manifest.Begin(generation, end);
        _range.BeginGeneration(generation, end);
        _opened.Raise(generation);
        return true;
    }

    // Nothing more can be written: releases memory and notifies every waiter.
    private bool Abandon()
    {
        _source.Detach();
        ReleaseAll();
        return false;
    }

    private void ReleaseAll()
    {
        _waiters.CompleteAll();
        _written.End();
        _opened.End();
        ReleaseWriters();
    }

    private void MarkDurable(long offset)
    {
        long seen = Durable;
        while (seen < offset)
            seen = Interlocked.CompareExchange(ref _durable, offset, seen) is var found && found == seen ? offset : found;
        _waiters.Complete(Durable);
    }

    private void SyncEachSecond()
    {
        while (!_closes.Wait(SyncsAlways && !IsFailed ? PreparePeriod : SyncPeriod))
        {
            while (SyncsAlways && !_closing && !IsFailed && _writer!.Prepare())
                _closes.Wait(PreparePause);

            if (_health.IsFailed)
            {
                _work.Set();
                continue;
            }

            MarkFullSegments();
            bool onlyFull = Fsync == AppendFsync.No || IsSyncSuspended;
            long written = Written;
            if (!onlyFull && written <= Durable)
                continue;
            long start = Stopwatch.GetTimestamp();
            Volatile.Write(ref _syncStarted, start);
            bool isSynced = _writer!.TrySync(onlyFull);
            Volatile.Write(ref _syncStarted, 0);
            if (Stopwatch.GetElapsedTime(start) > SyncPeriod)
                DelayedSyncs++;
            if (isSynced && !onlyFull)
                MarkDurable(written);
        }
    }

    // The manifest records which files were full, in case all of them disappear some day, and anything that could not be recorded before.
    // Done on this thread, because no client waits for it.
    private void MarkFullSegments()
    {
        int last = _writer!.LastSegment;
        if (last == _notedSegment && !_manifest.IsStale)
            return;
        _manifest.Raise(Durable);
        _notedSegment = last;
    }

    private void ReleaseRoomIfAny()
    {
        if (_roomAvailable is not null && _source.Lag < _options.StagingBytes / 2)
            ReleaseWriters();
    }

    private void ReleaseWriters() => Interlocked.Exchange(ref _roomAvailable, null)?.TrySetResult();
}
