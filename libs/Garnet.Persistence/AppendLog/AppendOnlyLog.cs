// The append-only log: takes effects under the store's latches, writes and commits them in groups on a thread of its own.
// Append, Await and the properties: any thread. Start, Close and Dispose: one owner.
using System.Diagnostics;
using Garnet.Store;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// The stream of effects has one position for each byte. <see cref="Appended"/> is how far the store has handed it over,
/// <see cref="Written"/> how far the system has it (a killed process loses what lies after), <see cref="Durable"/> how far the disk has it
/// (a power cut loses what lies after).
/// </summary>
public sealed class AppendOnlyLog : IWriteSink, IDisposable
{
    // Without a client that waits for the disk, effects are gathered for so long before they are written together.
    private static readonly TimeSpan GatherTime = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan SyncPeriod = TimeSpan.FromSeconds(1);

    // How often it is seen to that space is prepared for the next syncs.
    private static readonly TimeSpan PreparePeriod = TimeSpan.FromMilliseconds(50);

    // How often an idle log looks whether a full disk has room again, and whether effects came that nobody announced.
    private static readonly TimeSpan IdleTime = TimeSpan.FromMilliseconds(100);

    private const int GroupsPerTrial = 32;
    private const int MaxStalls = 3;

    private readonly AppendOnlyLogOptions _options;
    private readonly ILogFolder _folder;
    private readonly LogHealth _health;
    private readonly LogStart _start;
    private readonly ManifestKeeper _manifest;
    private readonly StagingBuffer _staging;
    private readonly DurabilityQueue _waiters = new();
    private readonly ManualResetEventSlim _work = new(initialState: false, spinCount: 0);
    private readonly ManualResetEventSlim _stopSyncing = new();
    private readonly Thread _writing;
    private readonly Thread _syncing;
    private volatile GenerationWriter? _writer;
    private volatile TaskCompletionSource? _roomAvailable;
    private long _closedBytes;
    private long _written;
    private long _durable;
    private long _syncStarted;
    private int _generation;
    private int _openGeneration;
    private int _gathers;
    private int _notedSegment;
    private volatile bool _closing;
    private volatile bool _hasEnded;
    private int _expected;
    private int _groups;
    private long _syncTicks;

    /// <summary>Prepares a log; <see cref="Start"/> opens it.</summary>
    public AppendOnlyLog(ILogFolder folder, LogStart start, AppendOnlyLogOptions options)
    {
        _folder = folder;
        _start = start;
        _options = options;
        Fsync = options.Fsync;
        _health = new LogHealth(folder, options.Report);
        _manifest = new ManifestKeeper(folder, options.Prefix, start, options.Report);
        _staging = new StagingBuffer(start.Offset);
        _written = _durable = start.Offset;
        _generation = start.Generation;
        HasBase = start.IsComplete;
        _writing = new Thread(Write) { IsBackground = true, Name = "log" };
        _syncing = new Thread(SyncEachSecond) { IsBackground = true, Name = "log-sync" };
    }

    /// <summary>When the log is forced to the disk.</summary>
    public AppendFsync Fsync { get; set; }

    /// <summary>While true nothing is forced to the disk, as if <see cref="Fsync"/> were <see cref="AppendFsync.No"/>.</summary>
    public bool IsSyncSuspended { get; set; }

    /// <summary>Identity of the log.</summary>
    public ulong LogId => _start.LogId;

    /// <summary>The generation that effects handed over now belong to.</summary>
    public int Generation => Volatile.Read(ref _generation);

    /// <summary>The newest generation whose file exists, durably.</summary>
    public int OpenGeneration => Volatile.Read(ref _openGeneration);

    /// <summary>
    /// Whether the data that the log continues can be found again: a snapshot or older generations hold them. Until then new generations
    /// are marked as useless by themselves.
    /// </summary>
    public bool HasBase { get; private set; }

    /// <summary>Position after the last effect handed over.</summary>
    public long Appended => _staging.Appended;

    /// <summary>Position up to which the system has the log.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Position up to which the disk has the log.</summary>
    public long Durable => Volatile.Read(ref _durable);

    /// <summary>True when the disk has all that was handed over.</summary>
    public bool IsDurable => Durable >= Appended;

    /// <summary>Bytes handed over and not yet written.</summary>
    public long StagedBytes => _staging.Bytes;

    /// <summary>Bytes of the generations written since the log was opened.</summary>
    public long FileBytes => Volatile.Read(ref _closedBytes) + (_writer?.Bytes ?? 0);

    /// <summary>What keeps the log from writing, in the system's words; null when nothing does.</summary>
    public string? Problem => _health.Problem;

    /// <summary>
    /// True once the disk failed in a way after which nothing can be made durable; only a new log with a new base ends that.
    /// </summary>
    public bool IsFailed => _health.IsFailed;

    /// <summary>Syncs that took longer than their period, so that the next had to wait.</summary>
    public long DelayedSyncs { get; private set; }

    /// <summary>What the last write that was forced to the disk took.</summary>
    public TimeSpan SyncTime => TimeSpan.FromTicks(Volatile.Read(ref _syncTicks));

    /// <summary>True while a sync of the second-by-second kind is running.</summary>
    public bool IsSyncing => Volatile.Read(ref _syncStarted) != 0;

    /// <summary>True when a writer may go on; else it awaits <see cref="RoomAsync"/> first, before it latches anything.</summary>
    public bool HasRoom => _staging.Bytes < _options.StagingBytes;

    private bool SyncsAlways => Fsync == AppendFsync.Always && !IsSyncSuspended;

    /// <summary>Makes the first generation's file and starts the threads.</summary>
    /// <exception cref="AppendOnlyLogException">The file cannot be made.</exception>
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
                "Make room or mend the folder's permissions, and start again"
            );
        }

        // A write that the disk refuses is tried again and again; here somebody waits who can be told.
        _health.LimitTries(_options.StartPatience);
        if (!writer.TryOpen(_start.Offset, _start.NeedsBase) || !writer.TryReserve())
        {
            writer.Dispose();
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, name),
                0,
                Problem ?? "the log was stopped",
                "Look after the disk, and start again"
            );
        }

        if (_manifest.Begin(_start.Generation, _start.Offset) is { } refused)
        {
            writer.Dispose();
            throw new AppendOnlyLogException(
                System.IO.Path.Combine(_folder.Path, LogManifest.NameOf(_options.Prefix)),
                0,
                refused,
                "Make room or mend the folder's permissions, and start again"
            );
        }

        _health.LimitTries(Timeout.InfiniteTimeSpan);
        _writer = writer;
        _openGeneration = _start.Generation;
        _writing.Start();
        _syncing.Start();
    }

    /// <inheritdoc/>
    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        // After a failure nothing can be kept; a rewrite starts from the data itself.
        if (_health.IsFailed)
            return;
        _staging.Append(database, effect);
        if (!_work.IsSet && Fsync != AppendFsync.Always)
            _work.Set();
    }

    /// <summary>
    /// Ends the current generation where the stream is now, and begins the next. To be called while nobody is inside a command, so that the
    /// position is one point in time: a snapshot of that moment is the base of the generation returned.
    /// </summary>
    public int BeginGeneration()
    {
        int next = Interlocked.Increment(ref _generation);
        _staging.BeginGeneration(next);
        _work.Set();
        return next;
    }

    /// <summary>
    /// The snapshot of the generation begun last is durable: from here on it and what follows is all that a start needs, and older files
    /// may be deleted.
    /// </summary>
    /// <param name="generation">Its number; <see cref="OpenGeneration"/> has reached it.</param>
    /// <param name="takenOver">See <see cref="LogManifest.TakenOver"/>.</param>
    /// <returns>Null, or what kept that from being noted: then older files are still needed.</returns>
    public string? SetBase(int generation, string takenOver = "")
    {
        if (_manifest.SetBase(generation, takenOver) is { } problem)
            return problem;
        HasBase = true;
        return null;
    }

    /// <summary>The files that the log took over have been moved away.</summary>
    public void ForgetTakenOver() => _manifest.ForgetTakenOver();

    /// <summary>Files of generations before the current one were deleted: their bytes count no more.</summary>
    public void ForgetBefore() => Volatile.Write(ref _closedBytes, 0);

    /// <summary>Completes when there is room for more effects.</summary>
    public Task RoomAsync()
    {
        TaskCompletionSource wanted = new(TaskCreationOptions.RunContinuationsAsynchronously);
        TaskCompletionSource waiting = Interlocked.CompareExchange(ref _roomAvailable, wanted, null) ?? wanted;
        if (HasRoom)
            ReleaseWriters();
        _work.Set();
        return waiting.Task;
    }

    /// <summary>
    /// Tells the waiter once the disk has the log up to a position; false, and it is not told, when that is so already or never will be.
    /// </summary>
    /// <param name="offset">Position in the stream.</param>
    /// <param name="waiter">Whom to tell.</param>
    /// <param name="isGathered">Whether the waiter stands for all who would come about now, so that nobody else need be waited for.</param>
    public bool Await(long offset, IDurabilityWaiter waiter, bool isGathered = false)
    {
        if (IsFailed || _hasEnded || Durable >= offset)
            return false;
        _waiters.Add(offset, waiter);
        if (!isGathered)
            Volatile.Write(ref _gathers, 1);
        _work.Set();
        // It may have become durable, or the log may have failed or ended, between the look and the queueing.
        if (IsFailed || _hasEnded || Durable >= offset)
            return !_waiters.TryRemove(offset, waiter);
        return true;
    }

    /// <summary>
    /// Writes and syncs what was handed over, ends the generation and closes the files. A disk that does not answer is given up after the
    /// patience.
    /// </summary>
    public void Close(TimeSpan patience)
    {
        if (_writer is null || _closing)
            return;
        _closing = true;
        _work.Set();
        _stopSyncing.Set();
        if (!_writing.Join(patience))
            _health.Stop();
        bool hasEnded = _writing.Join(patience) && _syncing.Join(patience);
        _hasEnded = true;
        _waiters.CompleteAll();
        ReleaseWriters();
        if (hasEnded)
            _writer.Dispose();
        else
            _options.Report("The append-only log is given up: the disk does not answer. What it was handed last may be lost");
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
        _waiters.CompleteAll();
        ReleaseWriters();
    }

    private void WaitForWork()
    {
        while (!_work.Wait(IdleTime) && _staging.Bytes == 0)
        {
            if (_health.Problem is not null && !_health.IsFailed)
                _writer!.TryReserve();
        }

        if (SyncsAlways)
        {
            if (Interlocked.Exchange(ref _gathers, 0) != 0)
                GatherWaiters();
        }
        else if (!_closing && _staging.Bytes < _options.StagingBytes / 8)
        {
            Thread.Sleep(GatherTime);
        }

        _work.Reset();
    }

    // A sync takes as long for many as for one, and while it lasts the processor may be taken from those who would join. So a group waits
    // for as many as came together lately, as long as they keep coming and no longer than a sync takes; now and then it is tried whether
    // more would come. A client that is alone is hardly ever kept waiting.
    private void GatherWaiters()
    {
        int waiting = _waiters.Count;
        if (++_groups % GroupsPerTrial == 0)
            _expected = Math.Max(_expected, waiting) * 2;
        long start = Stopwatch.GetTimestamp();
        for (int stalls = 0; waiting < _expected && stalls < MaxStalls && Stopwatch.GetElapsedTime(start) < SyncTime; )
        {
            int before = waiting;
            FileCalls.SleepBriefly();
            waiting = _waiters.Count;
            stalls = waiting > before ? 0 : stalls + 1;
        }

        _expected = waiting;
    }

    // False when the log was stopped or has failed.
    private bool TryWriteStaged()
    {
        StagedPiece? piece = _staging.Take();
        long end = Written;
        for (StagedPiece? next; piece is not null; piece = next)
        {
            next = piece.Next;
            if (piece.Generation != 0 && !TryRoll(piece, end))
                return Abandon(piece);
            if (_health.IsFailed)
                return Abandon(piece);
            _writer!.Write(piece, Durable);
            end = piece.Offset + piece.Length;
            _staging.Release(piece);
            ReleaseRoomIfAny();
        }

        return TryCommit(end);
    }

    private bool TryCommit(long end)
    {
        bool sync = SyncsAlways && Durable < end;
        if (end == Written && !sync)
            return !_health.IsFailed;
        long start = Stopwatch.GetTimestamp();
        if (!_writer!.TryCommit(sync, out bool synced))
            return Abandon(null);
        if (sync)
            Volatile.Write(ref _syncTicks, Stopwatch.GetElapsedTime(start).Ticks);
        Volatile.Write(ref _written, end);
        if (synced)
            MarkDurable(end);
        else if (_health.IsFailed)
            return Abandon(null);
        return true;
    }

    private bool TryRoll(StagedPiece mark, long end)
    {
        if (!TryCommit(end) || !_writer!.TryClose(end))
            return false;
        MarkDurable(end);
        GenerationWriter next = new(_folder, _health, _options, _start.LogId, mark.Generation);
        GenerationWriter old = _writer;
        Volatile.Write(ref _closedBytes, _closedBytes + old.Bytes);
        _writer = next;
        old.Dispose();
        if (!next.TryOpen(mark.Offset, !HasBase))
            return false;
        // If the disk refuses that, the generation is found without it, and the manifest is written later.
        _manifest.Begin(mark.Generation, mark.Offset);
        Volatile.Write(ref _openGeneration, mark.Generation);
        return true;
    }

    // Nothing more can be written: memory is returned, and everybody who waits is told.
    private bool Abandon(StagedPiece? rest)
    {
        Release(rest);
        Release(_staging.Take());
        _waiters.CompleteAll();
        ReleaseWriters();
        return false;
    }

    private void Release(StagedPiece? first)
    {
        for (StagedPiece? next; first is not null; first = next)
        {
            next = first.Next;
            _staging.Release(first);
        }
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
        while (!_stopSyncing.Wait(SyncsAlways && !IsFailed ? PreparePeriod : SyncPeriod))
        {
            while (SyncsAlways && !_closing && !IsFailed && _writer!.Prepare())
                Thread.Sleep(1);

            if (_health.IsFailed)
            {
                _work.Set();
                continue;
            }

            NoteFullSegments();
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

    // That files were full is worth knowing should all of them be gone some day; so is what could not be noted before. On this thread, as
    // nobody waits for it.
    private void NoteFullSegments()
    {
        int last = _writer!.LastSegment;
        if (last == _notedSegment && !_manifest.IsStale)
            return;
        _manifest.Raise(Durable);
        _notedSegment = last;
    }

    private void ReleaseRoomIfAny()
    {
        if (_roomAvailable is not null && _staging.Bytes < _options.StagingBytes / 2)
            ReleaseWriters();
    }

    private void ReleaseWriters() => Interlocked.Exchange(ref _roomAvailable, null)?.TrySetResult();
}
