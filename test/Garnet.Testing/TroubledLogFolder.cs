// A real folder for the append-only log with injected disk faults. Any thread.
using Garnet.Persistence.AppendLog;

namespace Garnet.Testing;

/// <summary>Passes everything on to the file system, unless a fault is set.</summary>
internal sealed class TroubledLogFolder(string path) : ILogFolder
{
    /// <summary>ENOSPC.</summary>
    public const int NoSpace = 28;

    /// <summary>EIO.</summary>
    public const int InputOutput = 5;

    private readonly LogFolder _inner = new(path);

    /// <summary>Error number that writes and reservations fail with; 0 for none.</summary>
    public volatile int WriteError;

    /// <summary>Error number that writes of whole small files fail with; 0 for none.</summary>
    public volatile int ManifestError;

    /// <summary>Error number that the creation of a segment alone fails with; 0 for none.</summary>
    public volatile int CreateError;

    /// <summary>Error number that deletions fail with; 0 for none.</summary>
    public volatile int DeleteError;

    /// <summary>Error number that syncs fail with; 0 for none.</summary>
    public volatile int SyncError;

    /// <summary>Minimum duration of each sync in milliseconds.</summary>
    public volatile int SyncMilliseconds;

    /// <summary>Writes wait while this is reset.</summary>
    public ManualResetEventSlim WritesRun { get; } = new(initialState: true);

    /// <summary>Syncs wait while this is reset.</summary>
    public ManualResetEventSlim SyncsRun { get; } = new(initialState: true);

    /// <inheritdoc/>
    public string Path => _inner.Path;

    /// <inheritdoc/>
    public IReadOnlyList<string> List() => _inner.List();

    /// <inheritdoc/>
    public ISegmentFile? Create(string name, long bytes, out int error)
    {
        error = WriteError != 0 ? WriteError : CreateError;
        return error != 0 || _inner.Create(name, bytes, out error) is not { } file ? null : new Segment(this, file);
    }

    /// <inheritdoc/>
    public void Write(string name, ReadOnlySpan<byte> content)
    {
        ThrowTrouble();
        _inner.Write(name, content);
    }

    /// <inheritdoc/>
    public void Rename(string name, string to)
    {
        ThrowTrouble();
        _inner.Rename(name, to);
    }

    /// <inheritdoc/>
    public int Read(string name, ref byte[] buffer) => _inner.Read(name, ref buffer);

    /// <inheritdoc/>
    public int Read(string name, long position, Span<byte> target) => _inner.Read(name, position, target);

    /// <inheritdoc/>
    public long Length(string name) => _inner.Length(name);

    /// <inheritdoc/>
    public void Truncate(string name, long length) => _inner.Truncate(name, length);

    /// <inheritdoc/>
    public void Import(string path, string name) => _inner.Import(path, name);

    /// <inheritdoc/>
    public void Delete(string name)
    {
        if (DeleteError != 0)
            throw new IOException(_inner.Describe(DeleteError), DeleteError);
        _inner.Delete(name);
    }

    /// <inheritdoc/>
    public string Describe(int error) => _inner.Describe(error);

    private void ThrowTrouble()
    {
        int error = WriteError != 0 ? WriteError : ManifestError;
        if (error != 0)
            throw new IOException(_inner.Describe(error), error);
    }

    private sealed class Segment(TroubledLogFolder folder, ISegmentFile file) : ISegmentFile
    {
        public int Write(nint source, int bytes, long position)
        {
            folder.WritesRun.Wait();
            return folder.WriteError != 0 ? -folder.WriteError : file.Write(source, bytes, position);
        }

        public int Reserve(long position) => file.Reserve(position);

        public int Sync()
        {
            folder.SyncsRun.Wait();
            Thread.Sleep(folder.SyncMilliseconds);
            return folder.SyncError != 0 ? folder.SyncError : file.Sync();
        }

        public int Truncate(long length) => file.Truncate(length);

        public void Dispose() => file.Dispose();
    }
}
