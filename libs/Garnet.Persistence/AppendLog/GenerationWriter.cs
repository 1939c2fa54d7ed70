// Writes one generation of the log through FasterLog. Used by the log's thread; TrySync and Prepare also by the sync thread.
using FASTER.core;

namespace Garnet.Persistence.AppendLog;

/// <summary>Frames the stream of effects, page by page, and commits in groups.</summary>
internal sealed class GenerationWriter : IDisposable
{
    private const long PageBytes = SegmentScan.PageBytes;
    private const long MemoryBytes = 8L << 20;

    // Bytes that FasterLog puts before each entry.
    private const int EntryHeaderBytes = 4;

    /// <summary>Longest piece of an effect in one frame: it fits a page together with the headers.</summary>
    private const int MaxPayloadBytes = (1 << 20) - FrameHeader.Bytes - EntryHeaderBytes;

    private readonly FrameEntry _entry = new();
    private readonly SegmentDevice _device;
    private readonly LogHealth _health;
    private readonly FasterLog _log;
    private readonly ulong _logId;
    private readonly int _generation;

    public GenerationWriter(ILogFolder folder, LogHealth health, AppendOnlyLogOptions options, ulong logId, int generation)
    {
        _logId = logId;
        _health = health;
        _generation = generation;
        _device = new SegmentDevice(
            folder,
            health,
            options.SegmentBytes,
            segment => new LogFileName(generation, segment).Text(options.Prefix)
        );
        _log = new FasterLog(
            new FasterLogSettings
            {
                LogDevice = _device,
                LogCommitManager = new NoCommitMetadata(),
                PageSize = PageBytes,
                MemorySize = MemoryBytes,
                SegmentSize = options.SegmentBytes,
                TryRecoverLatest = false,
            }
        );
    }

    /// <summary>The generation's number.</summary>
    public int Generation => _generation;

    /// <summary>Bytes of the generation so far.</summary>
    public long Bytes => _log.TailAddress;

    /// <summary>The segment written most recently.</summary>
    public int LastSegment => _device.LastSegment;

    /// <summary>Creates the first segment if it does not exist; one attempt. False when the disk rejects it.</summary>
    public bool TryProbe() => _device.TryReserve(0);

    /// <summary>
    /// Writes the frame that opens the generation, and makes it durable. False when that failed. Lack of space for the next segment does
    /// not count as failure, since it may be temporary.
    /// </summary>
    public bool TryOpen(long offset, bool needsBase)
    {
        Enqueue(
            FrameFlags.Opening | FrameFlags.Begins | FrameFlags.Ends | (needsBase ? FrameFlags.NeedsBase : FrameFlags.None),
            offset,
            offset,
            default
        );
        return TryCommit(sync: true, out bool synced) && synced;
    }

    /// <summary>Frames a piece of whole effects; one too long for a frame is split into several.</summary>
    /// <param name="piece">The effects.</param>
    /// <param name="offset">Their position in the log.</param>
    /// <param name="durableOffset">The position up to which the log is durable.</param>
    public void Write(ReadOnlyMemory<byte> piece, long offset, long durableOffset)
    {
        for (int at = 0; at < piece.Length; at += MaxPayloadBytes)
        {
            int length = Math.Min(MaxPayloadBytes, piece.Length - at);
            FrameFlags flags = (at == 0 ? FrameFlags.Begins : 0) | (at + length == piece.Length ? FrameFlags.Ends : 0);
            Enqueue(flags, offset + at, durableOffset, piece.Slice(at, length));
        }
    }

    /// <summary>Writes everything framed, and syncs it if requested. False when the log was stopped meanwhile.</summary>
    /// <param name="sync">Whether to sync to disk.</param>
    /// <param name="synced">Whether the sync was done and succeeded.</param>
    public bool TryCommit(bool sync, out bool synced)
    {
        synced = false;
        long tail = _log.TailAddress;
        if (_log.FlushedUntilAddress < tail && !TryFlush(tail))
            return false;
        synced = sync && _device.TrySync();
        _device.TryReserveNext();
        return true;
    }

    /// <summary>Syncs everything committed so far, or only full segments.</summary>
    public bool TrySync(bool onlyFull) => _device.TrySync(onlyFull);

    /// <summary>Ensures that there is space for the effects appended next; false when there is none.</summary>
    public bool TryReserve() => _device.TryReserveNext();

    /// <summary>Writes zeros where the log will be written soon, so that syncs are short; false when enough are prepared.</summary>
    public bool Prepare() => _device.Prepare();

    /// <summary>Ends the generation in order: nothing can follow.</summary>
    public bool TryClose(long offset)
    {
        if (!TryCommit(sync: true, out bool synced) || !synced)
            return false;
        Enqueue(FrameFlags.Closing | FrameFlags.Begins | FrameFlags.Ends, offset, offset, default);
        if (!TryCommit(sync: true, out synced) || !synced)
            return false;
        _device.Seal(_log.TailAddress);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _log.Dispose();
        _device.Dispose();
    }

    // The device writes before the call returns, unless another thread was inside FasterLog at that moment.
    private bool TryFlush(long tail)
    {
        try
        {
            _log.Commit(spinWait: false);
            while (_log.FlushedUntilAddress < tail)
            {
                if (_health.IsStopped)
                    return false;
                Thread.Yield();
                _log.Commit(spinWait: false);
            }

            return true;
        }
        catch (Exception e) when (e is CommitFailureException or FasterException)
        {
            // The device abandoned a write because the log is being stopped.
            return false;
        }
    }

    private void Enqueue(FrameFlags flags, long offset, long durableOffset, ReadOnlyMemory<byte> payload)
    {
        _entry.Header = new FrameHeader(payload.Length, offset, durableOffset, _logId, flags, _generation);
        _entry.Payload = payload;
        _log.Enqueue(_entry);
    }
}
