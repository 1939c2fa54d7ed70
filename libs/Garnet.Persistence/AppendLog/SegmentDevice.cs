// The device that FasterLog writes one generation to. Written by the log's thread; Sync is called by it and by the sync thread.
using FASTER.core;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Segments have a fixed size. Space in them is reserved before it is needed, as much again as the log has, so that a full disk is noticed
/// while there is still space for what writers have appended already, and a log of a few keys takes little. A rejected write is retried
/// until it succeeds; its bytes stay in memory meanwhile. A failed sync is never retried.
/// </summary>
internal sealed class SegmentDevice : StorageDeviceBase
{
    /// <summary>Writes begin and end at multiples of this.</summary>
    public const int WriteBytes = 512;

    private const uint WriteError = 1;

    // What is reserved for the shortest log, and the step in which more is.
    private const long ReserveStep = 1L << 20;

    private readonly Lock _gate = new();
    private readonly Lock _syncing = new();
    private readonly Dictionary<int, ISegmentFile> _segments = [];
    private readonly SortedSet<int> _unsynced = [];
    private readonly ILogFolder _folder;
    private readonly LogHealth _health;
    private readonly long _segmentBytes;
    private readonly Func<int, string> _nameOf;
    private int _lastSegment;
    private long _written;

    // What the log's thread has reserved last.
    private (int Segment, long Position) _reserved = (-1, 0);

    public SegmentDevice(ILogFolder folder, LogHealth health, long segmentBytes, Func<int, string> nameOf)
        : base(folder.Path, WriteBytes, -1)
    {
        _folder = folder;
        _health = health;
        _segmentBytes = segmentBytes;
        _nameOf = nameOf;
    }

    /// <summary>The segment written most recently.</summary>
    public int LastSegment => Volatile.Read(ref _lastSegment);

    /// <inheritdoc/>
    public override void WriteAsync(
        IntPtr sourceAddress,
        int segmentId,
        ulong destinationAddress,
        uint numBytesToWrite,
        DeviceIOCompletionCallback callback,
        object context
    )
    {
        bool isWritten = TryWrite(segmentId, sourceAddress, (int)numBytesToWrite, (long)destinationAddress);
        callback(isWritten ? 0 : WriteError, isWritten ? numBytesToWrite : 0, context);
    }

    /// <inheritdoc/>
    public override void ReadAsync(
        int segmentId,
        ulong sourceAddress,
        IntPtr destinationAddress,
        uint readLength,
        DeviceIOCompletionCallback callback,
        object context
    ) => throw new NotSupportedException("The log is read from its files before it is opened for writing.");

    /// <inheritdoc/>
    public override void RemoveSegmentAsync(int segmentId, AsyncCallback callback, IAsyncResult result) =>
        throw new NotSupportedException("Files of the log are deleted one generation at a time.");

    /// <summary>
    /// Reserves space for what is written next, in the last segment and the one after it, which is created if it does not exist. False when
    /// the disk has no space for it.
    /// </summary>
    public bool TryReserveNext()
    {
        int segment = LastSegment;
        long written = Volatile.Read(ref _written);
        long wanted = RoundUp(written + Math.Max(written, ReserveStep));
        if (_reserved == (segment, wanted))
            return true;
        if (!TryReserve(segment, wanted) || !TryReserve(segment + 1) || !TryReserve(segment + 1, wanted))
            return false;
        _health.OnSuccess(TransientLogError.Reserve);
        _reserved = (segment, wanted);
        return true;
    }

    // As far as the position in the log lies in this segment, and at least a step.
    private bool TryReserve(int segment, long position)
    {
        if (Find(segment) is not { } file)
            return true;
        int error = file.Reserve(Math.Clamp(position - (segment * _segmentBytes), Math.Min(ReserveStep, _segmentBytes), _segmentBytes));
        if (error == 0)
            return true;
        _health.OnTrouble(TransientLogError.Reserve, "reserve space in " + _nameOf(segment), error);
        return false;
    }

    private static long RoundUp(long bytes) => (bytes + ReserveStep - 1) / ReserveStep * ReserveStep;

    /// <summary>Creates a segment if it does not exist. One attempt; false when the disk has no space for it.</summary>
    public bool TryReserve(int segment)
    {
        lock (_gate)
        {
            if (_segments.ContainsKey(segment))
                return true;
        }

        return TryOpen(segment);
    }

    /// <summary>Syncs what was written before the call. False once a sync has failed: a retry cannot tell what is on the disk.</summary>
    /// <param name="onlyFull">Whether the segment being written is left out.</param>
    public bool TrySync(bool onlyFull = false)
    {
        // One at a time: a second caller must not take a sync for done that the first has only begun.
        lock (_syncing)
        {
            if (_health.IsFailed)
                return false;
            int[] segments;
            ISegmentFile[] files;
            lock (_gate)
            {
                segments = [.. _unsynced.Where(segment => !onlyFull || segment < LastSegment)];
                files = [.. segments.Select(segment => _segments[segment])];
                _unsynced.ExceptWith(segments);
            }

            for (int i = 0; i < files.Length; i++)
            {
                if (!TrySync(files[i]))
                    return false;
                if (segments[i] < LastSegment)
                    Close(segments[i]);
            }

            return true;
        }
    }

    /// <summary>Writes zeros where the log will be written soon; false when enough are prepared.</summary>
    public bool Prepare()
    {
        ISegmentFile? current;
        ISegmentFile? next;
        lock (_gate)
        {
            current = _segments.GetValueOrDefault(LastSegment);
            next = _segments.GetValueOrDefault(LastSegment + 1);
        }

        return current?.Prepare() == true || next?.Prepare() == true;
    }

    /// <summary>Truncates the last segment at the end of the log, and frees the reserved one.</summary>
    public void Seal(long tailAddress)
    {
        lock (_gate)
        {
            if (_segments.TryGetValue(LastSegment, out ISegmentFile? last))
            {
                last.Truncate(Math.Min(_segmentBytes, tailAddress - (LastSegment * _segmentBytes)));
                last.Sync();
            }
        }

        if (Close(LastSegment + 1))
            TryDelete(_nameOf(LastSegment + 1));
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        lock (_syncing)
        {
            lock (_gate)
            {
                foreach (ISegmentFile file in _segments.Values)
                    file.Dispose();
                _segments.Clear();
                _unsynced.Clear();
            }
        }
    }

    // A leftover file of zeros takes disk space until the next start deletes it; the log's thread has no caller to report the error to.
    private void TryDelete(string name)
    {
        try
        {
            _folder.Delete(name);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _health.Report($"{name}, which was reserved but is not needed, cannot be deleted: {e.Message}");
        }
    }

    private bool TrySync(ISegmentFile file)
    {
        int error = file.Sync();
        while (error == FileCalls.Interrupted)
            error = file.Sync();
        if (error != 0)
            _health.Fail("sync its data to disk", error);
        return error == 0;
    }

    // The previous segment receives no more writes, and was synced after its last one.
    private bool Close(int segment)
    {
        lock (_gate)
        {
            if (_unsynced.Contains(segment) || !_segments.Remove(segment, out ISegmentFile? file))
                return false;
            file.Dispose();
            return true;
        }
    }

    private bool TryWrite(int segment, nint source, int bytes, long position)
    {
        ISegmentFile? file = Find(segment);
        while (file is null)
        {
            if (TryOpen(segment))
                file = Find(segment);
            else if (!_health.WaitToRetry())
                return false;
        }

        int done = 0;
        while (done < bytes)
        {
            int written = file.Write(source + done, bytes - done, position + done);
            if (written > 0)
            {
                done += written;
                continue;
            }

            if (written == -FileCalls.Interrupted)
                continue;
            _health.OnTrouble(TransientLogError.Write, "write to " + _nameOf(segment), -written);
            if (!_health.WaitToRetry())
                return false;
        }

        _health.OnSuccess(TransientLogError.Write);
        lock (_gate)
        {
            _unsynced.Add(segment);
            _lastSegment = Math.Max(_lastSegment, segment);
            Volatile.Write(ref _written, Math.Max(_written, (segment * _segmentBytes) + position + bytes));
        }

        return true;
    }

    private ISegmentFile? Find(int segment)
    {
        lock (_gate)
            return _segments.GetValueOrDefault(segment);
    }

    private bool TryOpen(int segment)
    {
        ISegmentFile? file = _folder.Create(_nameOf(segment), Math.Min(ReserveStep, _segmentBytes), out int error);
        if (file is null)
        {
            _health.OnTrouble(TransientLogError.Reserve, "reserve " + _nameOf(segment), error);
            return false;
        }

        _health.OnSuccess(TransientLogError.Reserve);
        lock (_gate)
            _segments.Add(segment, file);
        return true;
    }
}
