// A snapshot on its way to several receivers at once. Written by the saver's thread; each receiver reads on a thread of its own.
using System.Diagnostics;
using Garnet.Persistence.Effects;
using Garnet.Persistence.Rdb;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// The bytes are written into blocks of a ring in memory, in which each receiver has its own position, and are sent from there. The saver
/// stays a little ahead of the fastest receiver; a slower one may fall behind up to a limit, and is dropped beyond it, so that receivers
/// do not wait for each other. For those far behind the saver waits a moment now and then, so that receivers of about the same speed stay
/// together and the ring stays small; one that has stopped still leaves the others <see cref="StepBytes"/> per <see cref="LongestWait"/>,
/// 25 MB/s. When the buffer of old images fills, the saver does not wait for any receiver, so that clients need not wait either.
/// </summary>
internal sealed class SnapshotTransfer : ISnapshotTarget
{
    // How much a caller may request at once when a piece is almost full.
    private const int MarginBytes = 64 * 1024;
    private const int BlockBytes = 256 * 1024;
    private const int PieceBytes = BlockBytes - MarginBytes;
    private const int AheadBytes = 4 << 20;
    private const int BehindBytes = 8 << 20;
    private const int StepBytes = 512 * 1024;
    private const int SumStepBytes = 16 * 1024;
    private const double PressingFill = 0.5;
    private static readonly TimeSpan PollPeriod = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan LongestWait = TimeSpan.FromMilliseconds(20);

    private readonly EffectStream _ring = new(blockBytes: BlockBytes);
    private readonly List<EffectReader> _receivers = [];
    private readonly ManualResetEventSlim _consumed = new();
    private readonly byte[] _endMark;
    private readonly bool _hasChecksum;
    private Func<double> _fill = static () => 0;
    private EffectBlock? _piece;
    private int _used;
    private int _summed;
    private ulong _checksum;
    private long _nextStep;
    private long _end = -1; // after the mark, once everything before it is in the ring

    /// <summary>A transfer; receivers are added before the save begins to write.</summary>
    /// <param name="hasChecksum">Whether the snapshot ends with a checksum.</param>
    /// <param name="endMark">Bytes that follow the snapshot.</param>
    public SnapshotTransfer(bool hasChecksum, byte[] endMark)
    {
        _hasChecksum = hasChecksum;
        _endMark = endMark;
    }

    /// <summary>A transfer of a snapshot that is complete already, which its length ends instead of a mark: the caller copies it.</summary>
    /// <param name="length">Its bytes.</param>
    public SnapshotTransfer(long length)
        : this(hasChecksum: false, [])
    {
        _end = length;
    }

    /// <inheritdoc/>
    public bool CorrectsVersion => false;

    /// <inheritdoc/>
    public long WrittenBytes => _ring.Position;

    /// <inheritdoc/>
    public int FreeBytes => BlockBytes - _used;

    /// <inheritdoc/>
    public bool IsPieceFull => _used >= PieceBytes;

    /// <summary>True once everything is in the ring but the mark, which follows at once; or the length was known before.</summary>
    public bool IsComplete => Volatile.Read(ref _end) >= 0;

    /// <summary>Memory of the ring.</summary>
    public long MemoryBytes => _ring.MemoryBytes;

    /// <summary>Adds a receiver.</summary>
    /// <param name="listener">Told when there are bytes to read.</param>
    /// <param name="maxLag">How far it may fall behind before it is dropped; at least what the ring holds anyway.</param>
    public EffectReader AddReceiver(IEffectListener listener, long maxLag)
    {
        EffectReader reader = _ring.TryOpen(0, listener) ?? throw new InvalidOperationException("The transfer has begun.");
        reader.MaxLag = Math.Max(maxLag, AheadBytes + BehindBytes);
        _receivers.Add(reader);
        return reader;
    }

    /// <summary>Whether a receiver that has read up to a position has all of it, with the mark.</summary>
    public bool IsReadBy(long position) => IsComplete && position >= Volatile.Read(ref _end);

    /// <summary>To be called by receivers after they have read or left.</summary>
    public void OnConsumed() => _consumed.Set();

    /// <summary>Makes the transfer the target of a save.</summary>
    public SnapshotTransfer Open(Func<double> fill)
    {
        _fill = fill;
        return this;
    }

    /// <inheritdoc/>
    public void Advance(int count) => _used += count;

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => Reserve(sizeHint).Bytes.AsSpan(_used);

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0) => Reserve(sizeHint).Bytes.AsMemory(_used);

    /// <inheritdoc/>
    public void SumSteps()
    {
        while (_hasChecksum && _used - _summed >= SumStepBytes)
            Sum(SumStepBytes);
    }

    /// <inheritdoc/>
    public void WritePiece()
    {
        if (_piece is { } piece)
        {
            if (_hasChecksum)
                Sum(_used - _summed);
            piece.Length = _used;
            _ring.Append(piece);
        }

        _piece = null;
        _used = 0;
        _summed = 0;
        WaitForReceivers();
    }

    /// <inheritdoc/>
    public void Finish(RdbWriter writer)
    {
        writer.WriteEnd();
        if (_hasChecksum)
            Sum(_used - _summed);
        RdbWriter.WriteChecksum(this, _checksum);
        _summed = _used;
        WritePiece();
        // Before the mark: the receivers look at it when they have read the mark.
        Volatile.Write(ref _end, _ring.Position + _endMark.Length);
        _ring.AppendVerbatim(_endMark);
    }

    /// <inheritdoc/>
    public void Dispose() => _consumed.Set();

    private EffectBlock Reserve(int wanted)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(wanted, BlockBytes);
        if (FreeBytes < Math.Max(wanted, 1))
            WritePiece();
        return _piece ??= _ring.Rent();
    }

    private void Sum(int bytes)
    {
        _checksum = Crc64.Append(_checksum, _piece!.Bytes.AsSpan(_summed, bytes));
        _summed += bytes;
    }

    private void WaitForReceivers()
    {
        if (_ring.Position == _end)
            return;
        long start = Stopwatch.GetTimestamp();
        bool isStep = _ring.Position >= _nextStep;
        if (isStep)
            _nextStep = _ring.Position + StepBytes;
        while (true)
        {
            _consumed.Reset();
            (long shortest, long longest) = Lags();
            bool waitsForSlowest = isStep && longest > BehindBytes && Stopwatch.GetElapsedTime(start) < LongestWait;
            if ((shortest <= AheadBytes && !waitsForSlowest) || _fill() >= PressingFill)
                return;
            _consumed.Wait(PollPeriod);
        }
    }

    private (long Shortest, long Longest) Lags()
    {
        long shortest = long.MaxValue;
        long longest = 0;
        foreach (EffectReader receiver in _receivers)
        {
            if (receiver.IsLost || receiver.IsDisposed)
                continue;
            long lag = receiver.Lag;
            shortest = Math.Min(shortest, lag);
            longest = Math.Max(longest, lag);
        }

        return shortest == long.MaxValue ? throw new IOException("No receiver of the snapshot is left.") : (shortest, longest);
    }
}
