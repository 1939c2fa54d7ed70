// A file of a snapshot that reports every change to the watch first. Same threading as the wrapped file.
using Garnet.Persistence.Files;

namespace Garnet.CrashTarget;

/// <summary>Passes everything on, through a lossy device if there is one.</summary>
internal sealed class WatchedFile : IDiskFile
{
    private readonly string _path;
    private readonly IDiskFile _inner;
    private readonly StepWatch _watch;
    private readonly LossyFile? _lossy;

    public WatchedFile(string path, IDiskFile inner, StepWatch watch, LossyDevice? device)
    {
        _path = path;
        _inner = inner;
        _watch = watch;
        _lossy = device?.Add(new LossyFile(WriteThrough));
    }

    public int Alignment => _inner.Alignment;

    public long Length => _inner.Length;

    public int Write(long offset, ReadOnlySpan<byte> bytes)
    {
        if (_watch.IsFatal("write", _path))
        {
            WriteNow(offset, bytes[..(bytes.Length / 2 & -_inner.Alignment)]);
            _watch.End();
        }

        return WriteNow(offset, bytes);
    }

    public int Read(long offset, Span<byte> bytes) => _inner.Read(offset, bytes);

    public void SetLength(long length)
    {
        _watch.Pass("cut", _path);
        if (_lossy is null)
            _inner.SetLength(length);
        else
            _lossy.Cut(() => _inner.SetLength(length));
    }

    public void Sync()
    {
        _watch.Pass("sync", _path);
        _lossy?.PassOn();
        _inner.Sync();
    }

    public void Dispose() => _inner.Dispose();

    private int WriteNow(long offset, ReadOnlySpan<byte> bytes)
    {
        if (_lossy is null)
            return bytes.IsEmpty ? 0 : _inner.Write(offset, bytes);
        _lossy.Write(bytes, offset);
        return bytes.Length;
    }

    private void WriteThrough(ReadOnlySpan<byte> bytes, long position)
    {
        for (int done = 0; done < bytes.Length; )
            done += _inner.Write(position + done, bytes[done..]);
    }
}
