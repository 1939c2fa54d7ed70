// One save from its flip to its end. Started by the requesting thread, then run by its own thread.
using System.Diagnostics;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.DataTypes;
using Garnet.Store.Eviction;
using Garnet.Store.Snapshots;
using Garnet.Store.Tiering;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Old images handed over by writers have priority, so that the pool stays empty and no writer waits; then the page walk adds the records
/// that were not changed. Small strings are encoded during the walk, under the latch of their key; everything else passes through the pool,
/// and this thread encodes, checksums and writes what it takes from it, holding neither epoch nor latch.
/// </summary>
internal sealed class SaveJob : ISnapshotWalker
{
    private const int RecordsPerLook = 32;
    private const int ImagesPerLook = 16;
    private const int ElementsPerLook = 32;

    // What SELECT and the access of a key take before it.
    private const int MaxPropertyBytes = 32;
    private const int LargeStepBytes = 32 * 1024;
    private const int MsPerSecond = 1000;
    private readonly HybridLogStore _store;
    private readonly StoreSession _session;
    private readonly IDisk _disk;
    private readonly TimeProvider _time;
    private readonly SaveRequest _request;
    private readonly SavePace _pace;
    private readonly SnapshotBuffer _images;
    private readonly string _temporaryPath;
    private readonly Action _yieldIfDue;
    private SnapshotChunk _chunk;
    private SnapshotCursor _cursor;
    private SavedReads? _reads;
    private ISnapshotTarget _target = null!; // this and the writer are set by Write
    private RdbWriter _writer = null!;
    private int _database = -1;
    private volatile bool _isCancelled;
    private bool _hasEnded;
    private bool _isComplete;
    private TimeSpan _flipTime;
    private long _changesAtFlip;
    private EvictionSettings _eviction = EvictionSettings.Default;
    private (int Database, long Keys, long Expiring)[] _sizes = [];
    private IReadOnlyList<KeyValuePair<string, string>> _properties = [];
    private IReadOnlyList<byte[]> _functions = [];

    public SaveJob(HybridLogStore store, IDisk disk, TimeProvider time, SaveRequest request, Func<int?> delayMs, long poolBytes)
    {
        _store = store;
        _session = store.OpenSession();
        // What has expired and is not deleted yet is part of the data: replicas, and the log that continues this, have it until they are
        // told.
        _session.Expiry.IsSuspended = true;
        _disk = disk;
        _time = time;
        _request = request;
        _pace = new SavePace(delayMs, request.IsUrgent);
        _images = new SnapshotBuffer(store, poolBytes);

        _temporaryPath = request.OpenTarget is null ? TemporaryFile.NameFor(request.Path) : "";
        _yieldIfDue = YieldIfDue;
        Progress = new SaveProgress(time.GetTimestamp());
    }

    public SaveRequest Request => _request;

    public SaveProgress Progress { get; }

    /// <summary>Takes the snapshot's point in time. <see cref="Execute"/> must follow, or <see cref="Abandon"/> if it throws.</summary>
    public void Flip(StoreSession caller)
    {
        long start = 0;
        _sizes = new (int, long, long)[_store.Databases.Count];
        _store.Snapshots.Begin(
            caller,
            _images,
            () =>
            {
                start = Stopwatch.GetTimestamp();
                for (int database = 0; database < _sizes.Length; database++)
                    _sizes[database] = (database, _store.Databases.KeyCount(database), _store.Databases.ExpiringKeyCount(database));
                _changesAtFlip = _store.Statistics.Changes;
                _properties = _request.AtFlip?.Invoke() ?? [];
                _functions = _request.Beside?.Sources ?? [];
                _eviction = _store.Eviction;
            }
        );
        _flipTime = Stopwatch.GetElapsedTime(start);
        Progress.KeysTotal = _sizes.Sum(static size => size.Keys);
        Progress.PagesTotal = _store.Snapshots.Pages;
    }

    /// <summary>Releases what a job holds that has no snapshot.</summary>
    public void Abandon()
    {
        _images.Dispose();
        _session.Dispose();
    }

    /// <summary>Makes <see cref="Execute"/> stop soon, unless it is almost finished.</summary>
    public void Cancel() => _isCancelled = true;

    /// <summary>Saves; in every case the snapshot has ended afterwards and the temporary file is gone.</summary>
    public SaveOutcome Execute()
    {
        string? error = null;
        try
        {
            Write();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A disk error is part of the outcome that the requester gets; the server continues.
            error = e.Message;
        }

        EndSnapshot();
        _reads?.Dispose();
        _chunk.Return();
        _images.Dispose();
        _session.Dispose();
        if (!_isComplete && _request.OpenTarget is null)
            error = RemoveTemporary(error);
        return new SaveOutcome
        {
            Request = _request,
            Result =
                error is not null ? SaveResult.Failed
                : _isComplete ? SaveResult.Success
                : SaveResult.Cancelled,
            Error = error,
            Keys = Progress.Keys,
            Bytes = Progress.Bytes,
            Duration = _time.GetElapsedTime(Progress.StartedTimestamp),
            FlipTime = _flipTime,
            PeakImageBytes = _images.PeakBytes,
            ChangesAtFlip = _changesAtFlip,
            Properties = _properties,
        };
    }

    private void Write()
    {
        using (ISnapshotTarget target = OpenTarget())
        {
            _target = target;
            _writer = new RdbWriter(target, new RdbWriterOptions { Compress = _request.Compress, Version = _request.Version });
            WriteHead();
            foreach (byte[] library in _functions)
                _writer.WriteFunctions(library);
            if (_request.HasData)
                WriteData();
            else
                EndSnapshot();
            if (_isCancelled)
                return;
            CheckVersion();
            target.Finish(_writer);
            Progress.Bytes = target.WrittenBytes;
        }

        if (_request.OpenTarget is null)
            Publish();
        _isComplete = true;
    }

    private void WriteData()
    {
        WriteSizes();
        _session.RefreshTime();
        if (_store.Tier is { } tier)
        {
            _reads = new SavedReads(tier);
            // The values on disk in their order there, then what was missed.
            _cursor = new SnapshotCursor { SkipsCold = true };
            WalkAll(Walk);
            using var disk = new ColdWalk(_session);
            WalkAll(() => WalkDisk(disk));
            _cursor = default;
        }

        WalkAll(Walk);
        EndSnapshot();
        Drain();
    }

    private void WalkAll(Func<bool> walkSome)
    {
        bool isWalking = true;
        while (isWalking && !_isCancelled)
        {
            Drain();
            isWalking = walkSome();
            YieldIfDue();
        }
    }

    // The file takes the place of the previous one, durably.
    private void Publish()
    {
        string? replaced = _request.IsBesideLog ? _disk.SetAside(_request.Path) : null;
        bool isDurable = false;
        try
        {
            _disk.Rename(_temporaryPath, _request.Path);
            _isComplete = true;
            _disk.SyncFolder(Path.GetDirectoryName(Path.GetFullPath(_request.Path))!);
            isDurable = true;
        }
        finally
        {
            if (replaced is not null)
                DeleteReplaced(replaced, isHurried: !isDurable);
        }
    }

    private void DeleteReplaced(string path, bool isHurried)
    {
        try
        {
            _disk.DeleteGradually(path, GradualDeletion.HurriedWhen(() => isHurried || _isCancelled || _request.IsUrgent));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It only takes space, and is deleted by whoever takes the lock on the snapshot's file next; the snapshot has not failed.
        }
    }

    private void CheckVersion()
    {
        if (!_writer.NeedsValkeyVersion || _target.CorrectsVersion || _request.Version >= RdbWriter.FirstValkeyVersion)
            return;
        throw new IOException(
            $"The data has hashes with expiring fields, which version {_request.Version} of the format cannot hold: the receiver must know version {RdbWriter.FirstValkeyVersion} (Valkey 9.0)."
        );
    }

    private ISnapshotTarget OpenTarget() =>
        _request.OpenTarget is { } open
            ? open(() => Fill)
            : new SnapshotFile(_disk.Create(_temporaryPath, isDirect: true), _request.HasChecksum);

    private void WriteHead()
    {
        _writer.WriteHeader();
        _writer.WriteAux("garnet-ver"u8, System.Text.Encoding.ASCII.GetBytes(typeof(SaveJob).Assembly.GetName().Version!.ToString(3)));
        _writer.WriteAux("redis-bits"u8, 8 * nint.Size);
        _writer.WriteAux("ctime"u8, _time.GetUtcNow().ToUnixTimeSeconds());
        _writer.WriteAux("used-mem"u8, _store.Statistics.AllocatedBytes);
        foreach ((string name, string value) in _properties)
            _writer.WriteAux(System.Text.Encoding.UTF8.GetBytes(name), System.Text.Encoding.UTF8.GetBytes(value));
    }

    private void WriteSizes()
    {
        foreach ((int database, long keys, long expiring) in _sizes)
        {
            if (keys == 0)
                continue;
            Select(database);
            _writer.WriteResize(keys, expiring);
        }
    }

    // Walks some pages, as long as the slice lasts and the pool has space; false when all are done.
    private bool Walk()
    {
        bool isWalking = true;
        _session.EnterBatch();
        while (isWalking && _images.HasSpaceToWalk && !_isCancelled)
        {
            isWalking = _store.Snapshots.Walk(_session, ref _cursor, RecordsPerLook, this);
            _target.SumSteps();
            if (_pace.IsSliceOver || _target.IsPieceFull)
                break;
        }

        _session.LeaveBatch();
        Progress.WalkedShare = isWalking ? _store.Snapshots.WalkedShare(_cursor) : 1;
        return isWalking;
    }

    // As Walk, for one part of the values on disk.
    private bool WalkDisk(ColdWalk disk)
    {
        if (!disk.TryRead())
            return false;
        _session.EnterBatch();
        while (disk.HasPart && _images.HasSpaceToWalk && !_isCancelled)
        {
            disk.Pass(this, RecordsPerLook);
            _target.SumSteps();
            if (_pace.IsSliceOver || _target.IsPieceFull)
                break;
        }

        _session.LeaveBatch();
        return true;
    }

    /// <summary>Encodes a walked string that needs no more than copying, if there is space for it.</summary>
    bool ISnapshotWalker.TryTake(in SnapshotImage image)
    {
        if (!image.IsPlainString)
            return false;
        ReadOnlySpan<byte> key = image.Key,
            value = image.Value;
        if (_target.FreeBytes < RdbWriter.MaxBytes(key.Length, value.Length) + MaxPropertyBytes || _writer.Compresses(value.Length))
            return false;
        RecordInfo info = image.Info;
        Select(image.Database);
        WriteAccess(info.Access);
        _writer.WriteStringKey(key, value, info.ExpiresAtMs);
        Progress.Keys++;
        return true;
    }

    // Encodes the images in the pool.
    private void Drain()
    {
        while (!_isCancelled && _images.TryTake(out _chunk))
        {
            int seen = 0;
            if (_reads is not null)
                _chunk.FindCold(_reads);
            while (_chunk.MoveNext())
            {
                SavedImage image = _chunk.Current;
                if (!image.IsCold)
                    Encode(image);
                else if (_reads!.TryNext(out ReadOnlySpan<byte> value))
                    Encode(image.With(value));
                else if (!MayLose(image))
                    throw new IOException("A value that is on disk cannot be read; INFO tier says how many errors there were.");
                if (++seen % ImagesPerLook == 0)
                    YieldIfDue();
            }

            _chunk.Return();
            _chunk = default;
            Progress.Keys += seen;
            YieldIfDue();
        }

        if (_images.HasOverrun)
            throw new IOException("One command or transaction changed more of the snapshot than fits its buffer.");
    }

    // A value that the disk has lost is as if the policy had deleted its key; but not where effects follow: those of a log, or of a history
    // whose position the properties say.
    private bool MayLose(in SavedImage image) =>
        !_request.IsContinued
        && _properties.Count == 0
        && _eviction.Policy != EvictionPolicy.NoEviction
        && (!_eviction.IsVolatile || image.Info.ExpiresAtMs >= 0);

    private void Encode(in SavedImage image)
    {
        CheckVersion();
        Select(image.Database);
        RecordInfo info = image.Info;
        WriteAccess(info.Access);
        switch (info.Type)
        {
            case RecordType.String:
                if (image.Sliding is { Slides: true } sliding)
                    _writer.WriteSliding(sliding);
                if (image.IsBlock)
                    EncodeLargeString(image);
                else
                    _writer.WriteStringKey(image.Key, image.Value, info.ExpiresAtMs);
                break;
            case RecordType.Stream:
                _writer.WriteStreamKey(image.Key, image.OpenStream(), info.ExpiresAtMs, _yieldIfDue);
                break;
            case RecordType.Custom:
                var type = (CustomType)_store.Types.Of(info.Type, image.Value);
                _writer.WriteCustomKey(image.Key, type, CustomValue.PayloadOf(image.Value), info.ExpiresAtMs);
                break;
            default:
                EncodeCollection(image);
                break;
        }
    }

    // Apart, because its large locals would be cleared for each small string.
    private void EncodeCollection(in SavedImage image)
    {
        CollectionImage collection = image.OpenCollection();
        _writer.BeginCollection(image.Key, collection, image.Info.ExpiresAtMs);
        while (_writer.WriteElements(ref collection, ElementsPerLook) && !_isCancelled)
            YieldIfDue();
    }

    private void EncodeLargeString(in SavedImage image)
    {
        ReadOnlySpan<byte> value = image.Value;
        _writer.BeginLargeString(image.Key, value.Length, image.Info.ExpiresAtMs);
        while (!value.IsEmpty && !_isCancelled)
        {
            int step = Math.Min(value.Length, LargeStepBytes);
            _writer.WriteRaw(value[..step]);
            value = value[step..];
            YieldIfDue();
        }
    }

    // As Valkey does: writes the value that the eviction policy uses, and nothing where it uses neither. For LRFU, Valkey's format has a
    // field only for the time: its LRU reads that as its own, and the small use counts are lost and accumulate again.
    private void WriteAccess(byte access)
    {
        if (_eviction.CountsFrequency)
            _writer.WriteFrequency(access);
        else if (_eviction.Policy is EvictionPolicy.AllKeysLru or EvictionPolicy.VolatileLru or EvictionPolicy.AllKeysLrfu)
            _writer.WriteIdle(_session.Store.Accesses.IdleMs(access, _session.NowMs) / MsPerSecond);
    }

    private void Select(int database)
    {
        if (database == _database)
            return;
        _writer.WriteSelect(database);
        _database = database;
    }

    // Between small steps: writes a full piece to the device, lets waiting writers continue, and ends a slice whose time is over.
    private void YieldIfDue()
    {
        _target.SumSteps();
        if (_target.IsPieceFull)
        {
            _target.WritePiece();
            Progress.Bytes = _target.WrittenBytes;
            _pace.AfterPiece(Fill);
        }

        _images.ReleaseWaiters();
        if (!_pace.IsSliceOver)
            return;
        (Progress.ImageBytes, Progress.PeakImageBytes) = (_images.UsedBytes, _images.PeakBytes);
        _pace.EndSlice(Fill);
    }

    private double Fill => (double)_images.UsedBytes / _images.LimitBytes;

    private void EndSnapshot()
    {
        if (_hasEnded)
            return;
        _hasEnded = true;
        _store.Snapshots.End(_session);
        _images.Close();
    }

    private string? RemoveTemporary(string? error)
    {
        try
        {
            _disk.Delete(_temporaryPath);
            return error;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The leftover file is never loaded and the next save replaces it, but it is still reported.
            return $"{error ?? "cancelled"}; {e.Message}";
        }
    }
}
