// An in-memory disk with injected faults: failing steps, error codes, loss of data that was not synced. Used by one thread at a time, read
// by tests afterwards.
using Garnet.Persistence.Files;
using Garnet.Persistence.Snapshots;

namespace Garnet.Testing;

/// <summary>
/// Keeps for each file its current and its durable content. A file's content becomes durable with its Sync, its name with the Sync of its
/// folder. Every call is a named step; a test can make a step fail, or cut the power at it. After a power failure nothing works any more,
/// and <see cref="Restart"/> returns the disk with its durable state.
/// </summary>
internal sealed class FaultyDisk : IDisk
{
    private readonly Dictionary<string, Content> _names = [];
    private readonly Dictionary<string, Content> _durableNames = [];
    private bool _isOff;

    /// <summary>Maximum number of bytes that one write accepts; 0 for no limit.</summary>
    public int MaxPerWrite { get; set; }

    /// <summary>Required alignment of writes in bytes.</summary>
    public int Alignment { get; set; } = 1;

    /// <summary>The steps executed so far.</summary>
    public List<string> Steps { get; } = [];

    /// <summary>
    /// Called before each step with its number, from 0, and its name; if it returns an exception, that is thrown instead of executing the
    /// step.
    /// </summary>
    public Func<int, string, Exception?>? Fail { get; set; }

    /// <summary>Number of the step at which the power fails; -1 for never.</summary>
    public int PowerLossAt { get; set; } = -1;

    /// <summary>The disk after a power failure: only what was durable.</summary>
    public FaultyDisk Restart()
    {
        FaultyDisk found = new();
        foreach ((string path, Content content) in _durableNames)
        {
            Content kept = new();
            kept.Bytes.AddRange(content.Durable);
            kept.Durable = content.Durable;
            found._names[path] = found._durableNames[path] = kept;
        }

        return found;
    }

    /// <summary>A file's current content, or null.</summary>
    public byte[]? Read(string path) => _names.TryGetValue(path, out Content? content) ? [.. content.Bytes] : null;

    /// <summary>Current names of all files.</summary>
    public IEnumerable<string> Files => _names.Keys;

    /// <inheritdoc/>
    public IDiskFile Create(string path, bool isDirect)
    {
        Step("create");
        Content content = new();
        if (!_names.TryAdd(path, content))
            throw new IOException($"{path} exists.");
        return new FaultyFile(this, content);
    }

    /// <inheritdoc/>
    public IDiskFile Open(string path)
    {
        Step("open");
        return new FaultyFile(this, _names.TryGetValue(path, out Content? content) ? content : throw new FileNotFoundException(path));
    }

    /// <inheritdoc/>
    public bool Exists(string path) => _names.ContainsKey(path);

    /// <inheritdoc/>
    public void Rename(string from, string to)
    {
        Step("rename");
        _names[to] = _names[from];
        _names.Remove(from);
    }

    /// <inheritdoc/>
    public void Delete(string path)
    {
        Step("delete");
        _names.Remove(path);
    }

    /// <inheritdoc/>
    public IDisposable? TryLock(string path, string holder, out string heldBy)
    {
        heldBy = "";
        return new MemoryStream();
    }

    /// <inheritdoc/>
    public void CheckWritable(string folder) { }

    /// <inheritdoc/>
    public int DeleteLeftovers(string path)
    {
        string[] left = [.. _names.Keys.Where(name => TemporaryFile.TryParse(name, out string final) && final == path)];
        foreach (string name in left)
            _names.Remove(name);
        return left.Length;
    }

    /// <inheritdoc/>
    public void SyncFolder(string path)
    {
        Step("sync-folder");
        _durableNames.Clear();
        foreach ((string name, Content content) in _names)
            _durableNames[name] = content;
    }

    private void Step(string name)
    {
        int number = Steps.Count;
        Steps.Add(name);
        if (number == PowerLossAt)
            _isOff = true;
        if (_isOff)
            throw new IOException("The power is off.");
        if (Fail?.Invoke(number, name) is { } failure)
            throw failure;
    }

    private sealed class Content
    {
        public List<byte> Bytes { get; } = [];

        public byte[] Durable { get; set; } = [];
    }

    private sealed class FaultyFile(FaultyDisk disk, Content content) : IDiskFile
    {
        public int Alignment => disk.Alignment;

        public long Length => content.Bytes.Count;

        public int Write(long offset, ReadOnlySpan<byte> bytes)
        {
            disk.Step("write");
            if (offset % disk.Alignment != 0 || bytes.Length % disk.Alignment != 0)
                throw new IOException("A write is not aligned.");
            int taken = disk.MaxPerWrite == 0 ? bytes.Length : Math.Min(bytes.Length, disk.MaxPerWrite);
            while (content.Bytes.Count < offset + taken)
                content.Bytes.Add(0);
            for (int i = 0; i < taken; i++)
                content.Bytes[(int)offset + i] = bytes[i];
            return taken;
        }

        public int Read(long offset, Span<byte> bytes)
        {
            disk.Step("read");
            int count = (int)Math.Clamp(content.Bytes.Count - offset, 0, bytes.Length);
            for (int i = 0; i < count; i++)
                bytes[i] = content.Bytes[(int)offset + i];
            return count;
        }

        public void SetLength(long length)
        {
            disk.Step("set-length");
            if (length < content.Bytes.Count)
                content.Bytes.RemoveRange((int)length, content.Bytes.Count - (int)length);
            while (content.Bytes.Count < length)
                content.Bytes.Add(0);
        }

        public void Sync()
        {
            disk.Step("sync");
            content.Durable = [.. content.Bytes];
        }

        public void Dispose() { }
    }
}
