// The real file system, whose calls wait or fail as a test says. Any thread, as the file system.
using System.Collections.Concurrent;
using Garnet.Persistence.Files;

namespace Garnet.Testing;

/// <summary>Passes everything on to the system's disk, but for the steps that a test lets fail.</summary>
internal sealed class TroubledDisk : IDisk
{
    private readonly SystemDisk _inner = SystemDisk.Instance;

    /// <summary>Steps of saving a snapshot, in their order, as <see cref="FailingStep"/> names them.</summary>
    public static IReadOnlyList<string> Steps { get; } = ["create", "write", "set-length", "sync", "rename", "sync-folder"];

    /// <summary>The step that fails each time; null for none.</summary>
    public volatile string? FailingStep;

    /// <summary>What the system says of it.</summary>
    public const string Problem = "No space left on device (of this test)";

    /// <summary>A file is created only while this is set, so that a test can hold a save before its first byte.</summary>
    public ManualResetEventSlim CreatesRun { get; } = new(initialState: true);

    /// <summary>Paths of the files that were to be created, in order, also of one that waits or failed.</summary>
    public ConcurrentQueue<string> Begun { get; } = new();

    /// <inheritdoc/>
    public IDiskFile Create(string path, bool isDirect)
    {
        Begun.Enqueue(path);
        CreatesRun.Wait();
        Step("create");
        return new TroubledFile(this, _inner.Create(path, isDirect));
    }

    /// <inheritdoc/>
    public IDiskFile Open(string path) => new TroubledFile(this, _inner.Open(path));

    /// <inheritdoc/>
    public bool Exists(string path) => _inner.Exists(path);

    /// <inheritdoc/>
    public void Rename(string from, string to)
    {
        Step("rename");
        _inner.Rename(from, to);
    }

    /// <inheritdoc/>
    public void Delete(string path) => _inner.Delete(path);

    /// <inheritdoc/>
    public IDisposable? TryLock(string path, string holder, out string heldBy) => _inner.TryLock(path, holder, out heldBy);

    /// <inheritdoc/>
    public void CheckWritable(string folder) => _inner.CheckWritable(folder);

    /// <inheritdoc/>
    public int DeleteLeftovers(string path) => _inner.DeleteLeftovers(path);

    /// <inheritdoc/>
    public void SyncFolder(string path)
    {
        Step("sync-folder");
        _inner.SyncFolder(path);
    }

    private void Step(string name)
    {
        if (FailingStep == name)
            throw new IOException(Problem);
    }

    private sealed class TroubledFile(TroubledDisk disk, IDiskFile file) : IDiskFile
    {
        public int Alignment => file.Alignment;

        public long Length => file.Length;

        public int Write(long offset, ReadOnlySpan<byte> bytes)
        {
            disk.Step("write");
            return file.Write(offset, bytes);
        }

        public int Read(long offset, Span<byte> bytes) => file.Read(offset, bytes);

        public void SetLength(long length)
        {
            disk.Step("set-length");
            file.SetLength(length);
        }

        public void Sync()
        {
            disk.Step("sync");
            file.Sync();
        }

        public void Dispose() => file.Dispose();
    }
}
