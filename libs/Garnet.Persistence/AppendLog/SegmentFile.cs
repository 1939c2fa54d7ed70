// A segment on a real disk. Written and truncated by the log's thread; Sync and Prepare are also called by its sync thread.
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>An open file of a <see cref="LogFolder"/>.</summary>
/// <param name="file">The file.</param>
/// <param name="reservedBytes">Space that was reserved without being written; 0 where none is to be reserved.</param>
internal sealed class SegmentFile(SafeFileHandle file, long reservedBytes) : ISegmentFile
{
    private const int StepBytes = 1 << 20;
    private const long AheadBytes = 8L << 20;
    private const int Alignment = 4096;
    private const long Nowhere = long.MaxValue;

    // Allocated on first use; never written.
    private static readonly Lazy<byte[]> Zeros = new(static () => GC.AllocateArray<byte>(StepBytes + Alignment, pinned: true));

    private readonly object _gate = new();
    private long _reserved = reservedBytes;
    private long _written;
    private long _prepared;
    private long _preparing = Nowhere;
    private bool _isEnded;

    /// <inheritdoc/>
    public int Write(nint source, int bytes, long position)
    {
        lock (_gate)
        {
            // Zeros must not overwrite what is being written now.
            while (position + bytes > _preparing)
                Monitor.Wait(_gate);
            _written = Math.Max(_written, position + bytes);
        }

        return FileCalls.Write(file, source, bytes, position);
    }

    /// <inheritdoc/>
    public int Reserve(long position)
    {
        // Only the log's thread changes it, and this is called by that thread.
        long reserved = Volatile.Read(ref _reserved);
        if (reserved == 0 || reserved >= position)
            return 0;
        int error = FileCalls.Allocate(file, position);
        if (error != 0)
            return error;
        lock (_gate)
            Volatile.Write(ref _reserved, position);
        return 0;
    }

    /// <inheritdoc/>
    public int Sync() => FileCalls.Sync(file);

    /// <inheritdoc/>
    public bool Prepare()
    {
        long start;
        int bytes;
        lock (_gate)
        {
            start = _prepared > _written ? _prepared : (_written + Alignment - 1) & -Alignment;
            if (_isEnded || start >= _reserved || start - _written >= AheadBytes)
                return false;
            _preparing = start;
            bytes = (int)Math.Min(StepBytes, _reserved - start);
        }

        nint zeros = (Marshal.UnsafeAddrOfPinnedArrayElement(Zeros.Value, 0) + Alignment - 1) & ~(nint)(Alignment - 1);
        int done = FileCalls.Write(file, zeros, bytes, start);
        lock (_gate)
        {
            // An error here is ignored: it is reported when a real write fails.
            _prepared = done > 0 ? start + done : _reserved;
            _preparing = Nowhere;
            Monitor.PulseAll(_gate);
        }

        return done == bytes;
    }

    /// <inheritdoc/>
    public int Truncate(long length)
    {
        EndPreparing();
        try
        {
            RandomAccess.SetLength(file, length);
            return 0;
        }
        catch (IOException)
        {
            // Only excess space after the end remains; readers know where the end is.
            return FileCalls.InputOutput;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        EndPreparing();
        file.Dispose();
    }

    private void EndPreparing()
    {
        lock (_gate)
        {
            while (_preparing != Nowhere)
                Monitor.Wait(_gate);
            _isEnded = true;
        }
    }
}
