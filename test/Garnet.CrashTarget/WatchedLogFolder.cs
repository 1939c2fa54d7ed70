// The append-only log's folder, which reports every change to the watch first. Same threading as the wrapped folder.
using Garnet.Persistence.AppendLog;

namespace Garnet.CrashTarget;

/// <summary>Passes everything on to a real folder, through a lossy device if there is one.</summary>
internal sealed class WatchedLogFolder(ILogFolder inner, StepWatch watch, LossyDevice? device) : ILogFolder
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _hidden = [];

    public string Path => inner.Path;

    public IReadOnlyList<string> List()
    {
        lock (_gate)
            return [.. inner.List().Where(name => !_hidden.Contains(name))];
    }

    public ISegmentFile? Create(string name, long bytes, out int error)
    {
        watch.Pass("create", name);
        return inner.Create(name, bytes, out error) is { } file ? new WatchedSegment(name, file, watch, device) : null;
    }

    public void Write(string name, ReadOnlySpan<byte> content)
    {
        if (watch.IsFatal("write", name))
        {
            inner.Write(name, content[..(content.Length / 2)]);
            watch.End();
        }

        inner.Write(name, content);
    }

    public void Rename(string name, string to)
    {
        watch.Pass("rename", name);
        inner.Rename(name, to);
    }

    public int Read(string name, ref byte[] buffer) => inner.Read(name, ref buffer);

    public int Read(string name, long position, Span<byte> target) => inner.Read(name, position, target);

    public long Length(string name) => inner.Length(name);

    public void Truncate(string name, long length)
    {
        watch.Pass("truncate", name);
        inner.Truncate(name, length);
    }

    public void Import(string path, string name)
    {
        watch.Pass("import", name);
        inner.Import(path, name);
    }

    // The folder is not synced after a deletion, so after a power failure the file may be there again.
    public void Delete(string name)
    {
        watch.Pass("delete", name);
        if (device is null || device.Toss())
        {
            inner.Delete(name);
            return;
        }

        lock (_gate)
            _hidden.Add(name);
    }

    public string Describe(int error) => inner.Describe(error);
}
