// A segment of the append-only log that reports every change to the watch first. Same threading as the wrapped segment.
using System.Runtime.InteropServices;
using Garnet.Persistence.AppendLog;

namespace Garnet.CrashTarget;

/// <summary>Passes everything on, through a lossy device if there is one.</summary>
internal sealed class WatchedSegment : ISegmentFile
{
    private readonly string _name;
    private readonly ISegmentFile _inner;
    private readonly StepWatch _watch;
    private readonly LossyFile? _lossy;

    public WatchedSegment(string name, ISegmentFile inner, StepWatch watch, LossyDevice? device)
    {
        _name = name;
        _inner = inner;
        _watch = watch;
        _lossy = device?.Add(new LossyFile(WriteThrough));
    }

    public int Write(nint source, int bytes, long position)
    {
        if (_watch.IsFatal("write", _name))
        {
            WriteNow(source, bytes / 2 / LossyDevice.SectorBytes * LossyDevice.SectorBytes, position);
            _watch.End();
        }

        return WriteNow(source, bytes, position);
    }

    public int Sync()
    {
        _watch.Pass("sync", _name);
        _lossy?.PassOn();
        return _inner.Sync();
    }

    public int Reserve(long position) => _inner.Reserve(position);

    public bool Prepare() => _inner.Prepare();

    public int Truncate(long length)
    {
        _watch.Pass("truncate", _name);
        if (_lossy is null)
            return _inner.Truncate(length);
        _lossy.Cut(() => _inner.Truncate(length));
        return 0;
    }

    public void Dispose() => _inner.Dispose();

    private int WriteNow(nint source, int bytes, long position)
    {
        if (_lossy is null)
            return bytes == 0 ? 0 : _inner.Write(source, bytes, position);
        byte[] copy = new byte[bytes];
        Marshal.Copy(source, copy, 0, bytes);
        _lossy.Write(copy, position);
        return bytes;
    }

    // The real file may have been opened for direct I/O, which needs memory aligned to sectors.
    private void WriteThrough(ReadOnlySpan<byte> bytes, long position)
    {
        byte[] memory = GC.AllocateUninitializedArray<byte>(bytes.Length + LossyDevice.SectorBytes, pinned: true);
        nint start = Marshal.UnsafeAddrOfPinnedArrayElement(memory, 0);
        int offset = (int)(-start & (LossyDevice.SectorBytes - 1));
        bytes.CopyTo(memory.AsSpan(offset));
        for (int done = 0; done < bytes.Length; )
        {
            int written = _inner.Write(start + offset + done, bytes.Length - done, position + done);
            if (written <= 0)
                throw new IOException($"Error {-written} when {_name} was written.");
            done += written;
        }
    }
}
