// Collects the bytes of a snapshot's file, checksums them and writes them in large aligned pieces. Used by the saver's thread.
using System.Runtime.InteropServices;
using Garnet.Persistence.Files;
using Garnet.Persistence.Rdb;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// A temporary file. Pieces are large, so that the device reaches its full speed; the page cache is bypassed where possible, so that
/// neither a copy of every byte nor the write-back of a cache takes processor time from clients. The file is synced every few megabytes,
/// because a device that has to flush more than a gigabyte from its own cache at the end takes seconds, in which the writes of an
/// append-only log wait.
/// </summary>
internal sealed class SnapshotFile : ISnapshotTarget
{
    /// <summary>Size of one write.</summary>
    public const int PieceBytes = 1 << 20;

    // How much a caller may request at once when a piece is almost full.
    private const int MarginBytes = 64 * 1024;
    private const int BufferAlignment = 4096;
    private const int SumStepBytes = 16 * 1024;
    private const long SyncEveryBytes = 8L << 20;
    private const int MaxEmptyWrites = 16;
    private readonly IDiskFile _file;
    private readonly bool _hasChecksum;
    private readonly byte[] _storage;
    private readonly int _start;
    private readonly int _head;
    private long _writtenBytes;
    private long _unsyncedBytes;
    private int _used;
    private int _summed;
    private ulong _checksum;

    public SnapshotFile(IDiskFile file, bool hasChecksum)
    {
        _file = file;
        _hasChecksum = hasChecksum;
        _storage = GC.AllocateUninitializedArray<byte>(PieceBytes + MarginBytes + (2 * BufferAlignment), pinned: true);
        long address = Marshal.UnsafeAddrOfPinnedArrayElement(_storage, 0);
        _start = (int)(-address & (BufferAlignment - 1));
        _head = _start + PieceBytes + MarginBytes;
    }

    /// <inheritdoc/>
    public bool CorrectsVersion => true;

    /// <summary>Bytes written to the file.</summary>
    public long WrittenBytes => _writtenBytes;

    /// <summary>Bytes of the file so far.</summary>
    public long Length => _writtenBytes + _used;

    /// <summary>True when there is a piece to be written; best done now, though a caller that needs space triggers it anyway.</summary>
    public bool IsPieceFull => _used >= PieceBytes;

    /// <inheritdoc/>
    public int FreeBytes => PieceBytes + MarginBytes - _used;

    /// <inheritdoc/>
    public void Advance(int count) => _used += count;

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => Reserve(sizeHint);

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int room = Reserve(sizeHint).Length;
        return _storage.AsMemory(_start + _used, room);
    }

    /// <summary>
    /// Updates the checksum in whole steps, each short enough for a time slice: ending a step early would cost more than the step itself.
    /// </summary>
    public void SumSteps()
    {
        while (_hasChecksum && _used - _summed >= SumStepBytes)
            Sum(SumStepBytes);
    }

    private void Sum()
    {
        if (_hasChecksum)
            Sum(_used - _summed);
    }

    private void Sum(int bytes)
    {
        _checksum = Crc64.Append(_checksum, _storage.AsSpan(_start + _summed, bytes));
        _summed += bytes;
    }

    /// <summary>Writes full pieces, or the aligned part of one. The thread waits for the device.</summary>
    public void WritePiece()
    {
        Sum();
        int bytes = Math.Min(_used & -_file.Alignment, PieceBytes);
        if (_writtenBytes == 0)
            _storage.AsSpan(_start, BufferAlignment).CopyTo(_storage.AsSpan(_head));
        _writtenBytes = WriteAll(_writtenBytes, _storage.AsSpan(_start, bytes));
        _storage.AsSpan(_start + bytes, _used - bytes).CopyTo(_storage.AsSpan(_start));
        _used -= bytes;
        _summed = _hasChecksum ? _used : 0;
        _unsyncedBytes += bytes;
        if (_unsyncedBytes >= SyncEveryBytes)
        {
            _file.Sync();
            _unsyncedBytes = 0;
        }
    }

    /// <summary>Adds the end mark and the checksum, and makes the content durable.</summary>
    public void Finish(RdbWriter writer)
    {
        writer.WriteEnd();
        Sum();
        if (writer.NeedsValkeyVersion)
            SettleVersion();
        RdbWriter.WriteChecksum(this, _hasChecksum ? _checksum : 0);
        long length = Length;
        while (_used >= PieceBytes)
            WritePiece();
        int padded = (_used + _file.Alignment - 1) & -_file.Alignment;
        _storage.AsSpan(_start + _used, padded - _used).Clear();
        _writtenBytes = WriteAll(_writtenBytes, _storage.AsSpan(_start, padded));
        _used = 0;
        _file.SetLength(length);
        _file.Sync();
        _writtenBytes = length;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private Span<byte> Reserve(int wanted)
    {
        int end = PieceBytes + MarginBytes;
        if (end - _used < Math.Max(wanted, 1))
        {
            WritePiece();
            ArgumentOutOfRangeException.ThrowIfGreaterThan(wanted, end - _used);
        }

        return _storage.AsSpan(_start + _used, end - _used);
    }

    // The content requires a later version than the header says, which has been written already or is about to be.
    private void SettleVersion()
    {
        Span<byte> opening = _storage.AsSpan(_writtenBytes == 0 ? _start : _head, RdbWriter.ValkeyOpening.Length);
        if (_hasChecksum)
            _checksum = Crc64.ExchangeStart(_checksum, opening, RdbWriter.ValkeyOpening, Length);
        RdbWriter.ValkeyOpening.CopyTo(opening);
        if (_writtenBytes != 0)
            WriteAll(0, _storage.AsSpan(_head, BufferAlignment));
    }

    // A device may accept less than it is given; the write continues from the last aligned offset.
    private long WriteAll(long offset, ReadOnlySpan<byte> bytes)
    {
        int empty = 0;
        while (!bytes.IsEmpty)
        {
            int written = _file.Write(offset, bytes) & -_file.Alignment;
            if (written == 0 && ++empty > MaxEmptyWrites)
                throw new IOException("The device accepts no more bytes without reporting an error.");
            offset += written;
            bytes = bytes[written..];
        }

        return offset;
    }
}
