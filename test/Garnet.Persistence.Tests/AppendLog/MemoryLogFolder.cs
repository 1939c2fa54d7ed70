// An in-memory folder whose disk can lose power, fill up, fail and be slow. Any thread.
using System.Runtime.InteropServices;
using Garnet.Persistence.AppendLog;

namespace Garnet.Persistence.Tests.AppendLog;

/// <summary>
/// Fault model: at a power failure, each sector that was not synced is kept or lost independently; a failed sync loses the data it was for,
/// and a later sync does not report that.
/// </summary>
internal sealed class MemoryLogFolder : ILogFolder
{
    public const int NoSpace = 28;
    public const int InputOutput = 5;
    public const int Interrupted = 4;

    private const int SectorBytes = 512;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Content> _files = [];

    /// <summary>Called before each write; returns the number of bytes to accept, or a negated error number; null accepts all.</summary>
    public Func<int, int?>? OnWrite { get; set; }

    /// <summary>Called at each sync; returns an error number, 0 for none.</summary>
    public Func<int>? OnSync { get; set; }

    /// <summary>Called at each creation; returns an error number, 0 for none.</summary>
    public Func<int>? OnCreate { get; set; }

    /// <summary>Number of syncs.</summary>
    public int Syncs { get; private set; }

    public string Path => "/memory";

    public IReadOnlyList<string> List()
    {
        lock (_gate)
            return [.. _files.Keys];
    }

    public ISegmentFile? Create(string name, long bytes, out int error)
    {
        error = OnCreate?.Invoke() ?? 0;
        if (error != 0)
            return null;
        Content content = new(checked((int)bytes));
        lock (_gate)
            _files[name] = content;
        return new Segment(this, content);
    }

    public void Write(string name, ReadOnlySpan<byte> content)
    {
        if (OnCreate?.Invoke() is not (null or 0) and int error)
            throw new IOException(Describe(error), error);
        Put(name, content.ToArray());
    }

    public void Rename(string name, string to)
    {
        lock (_gate)
        {
            _files[to] = _files[name];
            _files.Remove(name);
        }
    }

    public int Read(string name, ref byte[] buffer)
    {
        lock (_gate)
        {
            Content content = _files[name];
            if (buffer.Length < content.Length)
                buffer = new byte[content.Length];
            buffer.AsSpan(0, content.Length).Clear();
            content.Bytes.AsSpan(0, Math.Min(content.Bytes.Length, content.Length)).CopyTo(buffer);
            return content.Length;
        }
    }

    public int Read(string name, long position, Span<byte> target)
    {
        byte[] all = [];
        ReadOnlySpan<byte> rest = all.AsSpan(0, 0);
        lock (_gate)
        {
            if (!_files.ContainsKey(name))
                throw new FileNotFoundException(name);
            int length = Read(name, ref all);
            rest = position < length ? all.AsSpan((int)position, length - (int)position) : default;
        }

        int taken = Math.Min(rest.Length, target.Length);
        rest[..taken].CopyTo(target);
        return taken;
    }

    public long Length(string name)
    {
        lock (_gate)
            return _files[name].Length;
    }

    public void Truncate(string name, long length)
    {
        lock (_gate)
        {
            _files[name].Length = (int)length;
            _files[name].Sync();
        }
    }

    public void Delete(string name)
    {
        lock (_gate)
            _files.Remove(name);
    }

    public void Import(string path, string name) => Put(name, File.ReadAllBytes(path));

    public string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    /// <summary>Adds a file, such as a snapshot.</summary>
    public void Put(string name, byte[] bytes)
    {
        Content content = new(bytes.Length);
        content.Write(bytes, 0);
        content.Sync();
        lock (_gate)
            _files[name] = content;
    }

    /// <summary>The folder after a power failure: each sector that was not synced is kept or lost.</summary>
    public MemoryLogFolder AfterPowerLoss(Random random) => Copy(content => content.AfterPowerLoss(random));

    /// <summary>The folder after the process was killed: everything written is still there.</summary>
    public MemoryLogFolder AfterKill() => Copy(static content => content.Clone());

    /// <summary>Truncates or damages a file.</summary>
    public void Edit(string name, Func<byte[], byte[]> edit)
    {
        byte[] buffer = [];
        int length = Read(name, ref buffer);
        Put(name, edit(buffer[..length]));
    }

    /// <summary>Content of a file without trailing zeros.</summary>
    public byte[] Used(string name)
    {
        byte[] buffer = [];
        int length = Read(name, ref buffer);
        return buffer[..(buffer.AsSpan(0, length).LastIndexOfAnyExcept((byte)0) + 1)];
    }

    private MemoryLogFolder Copy(Func<Content, Content> copy)
    {
        MemoryLogFolder folder = new();
        lock (_gate)
        {
            foreach ((string name, Content content) in _files)
                folder._files.Add(name, copy(content));
        }

        return folder;
    }

    // Memory is allocated as it is written, not as it is reserved.
    private sealed class Content(int length)
    {
        private readonly Dictionary<int, byte[]> _unsynced = [];

        public byte[] Bytes { get; private set; } = [];

        public int Length { get; set; } = length;

        public void Write(ReadOnlySpan<byte> bytes, int position)
        {
            int end = position + bytes.Length;
            if (Bytes.Length < end)
            {
                byte[] larger = new byte[Math.Max(end, Bytes.Length * 2) / SectorBytes * SectorBytes + SectorBytes];
                Bytes.CopyTo(larger, 0);
                Bytes = larger;
            }

            for (int sector = position / SectorBytes; sector * SectorBytes < end; sector++)
                _unsynced.TryAdd(sector, Bytes.AsSpan(sector * SectorBytes, SectorBytes).ToArray());
            bytes.CopyTo(Bytes.AsSpan(position));
            Length = Math.Max(Length, end);
        }

        public void Sync() => _unsynced.Clear();

        public Content Clone()
        {
            Content clone = new(Length) { Bytes = [.. Bytes] };
            foreach ((int sector, byte[] before) in _unsynced)
                clone._unsynced.Add(sector, before);
            return clone;
        }

        public Content AfterPowerLoss(Random random)
        {
            Content left = new(Length) { Bytes = [.. Bytes] };
            int mode = random.Next(3);
            foreach ((int sector, byte[] before) in _unsynced)
            {
                if (mode == 0 || (mode == 1 && random.Next(2) == 0))
                    before.CopyTo(left.Bytes.AsSpan(sector * SectorBytes));
            }

            return left;
        }
    }

    private sealed class Segment(MemoryLogFolder folder, Content content) : ISegmentFile
    {
        public int Write(nint source, int bytes, long position)
        {
            int taken = folder.OnWrite?.Invoke(bytes) ?? bytes;
            if (taken < 0)
                return taken;
            byte[] copy = new byte[Math.Min(taken, bytes)];
            Marshal.Copy(source, copy, 0, copy.Length);
            lock (folder._gate)
                content.Write(copy, (int)position);
            return copy.Length;
        }

        public int Sync()
        {
            int error = folder.OnSync?.Invoke() ?? 0;
            lock (folder._gate)
            {
                folder.Syncs++;
                if (error == 0)
                    content.Sync();
            }

            return error;
        }

        public int Truncate(long length)
        {
            lock (folder._gate)
                content.Length = (int)length;
            return 0;
        }

        public void Dispose() { }
    }
}
