// The log's folder on a real disk. Any thread, one call at a time.
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>A folder of the file system; made when the first file is.</summary>
public sealed class LogFolder(string path) : ILogFolder
{
    /// <inheritdoc/>
    public string Path { get; } = path;

    /// <inheritdoc/>
    public IReadOnlyList<string> List() =>
        Directory.Exists(Path) ? [.. Directory.EnumerateFiles(Path).Select(System.IO.Path.GetFileName).Select(static name => name!)] : [];

    /// <inheritdoc/>
    public ISegmentFile? Create(string name, long bytes, out int error)
    {
        SafeFileHandle? file = null;
        long reserved = 0;
        try
        {
            Directory.CreateDirectory(Path);
            file = FileCalls.CreateDirect(Full(name));
            error = 0;
            // Through the cache, what was reserved is dearer to write than what was not.
            if (file is null)
                file = File.OpenHandle(Full(name), FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            else if ((error = FileCalls.Allocate(file, bytes)) == 0)
                reserved = bytes;
            if (error == 0)
                error = FileCalls.SyncFolder(Path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The caller tells it as any other trouble with the disk.
            error = FileCalls.NumberOf(e);
        }

        if (error == 0)
            return new SegmentFile(file!, reserved);
        file?.Dispose();
        Delete(name);
        return null;
    }

    /// <inheritdoc/>
    public int Read(string name, ref byte[] buffer)
    {
        using SafeFileHandle file = File.OpenHandle(Full(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.SequentialScan);
        int length = checked((int)RandomAccess.GetLength(file));
        if (buffer.Length < length)
            buffer = new byte[length];
        int at = 0;
        while (at < length)
        {
            int read = RandomAccess.Read(file, buffer.AsSpan(at, length - at), at);
            if (read == 0)
                break;
            at += read;
        }

        return at;
    }

    /// <inheritdoc/>
    public long Length(string name) => new FileInfo(Full(name)).Length;

    /// <inheritdoc/>
    public void Truncate(string name, long length)
    {
        using SafeFileHandle file = File.OpenHandle(Full(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        RandomAccess.SetLength(file, length);
        RandomAccess.FlushToDisk(file);
    }

    /// <inheritdoc/>
    public void Import(string path, string name)
    {
        Directory.CreateDirectory(Path);
        Delete(name);
        if (FileCalls.Link(path, Full(name)) != 0)
        {
            File.Copy(path, Full(name));
            using SafeFileHandle copy = File.OpenHandle(Full(name), FileMode.Open, FileAccess.ReadWrite);
            RandomAccess.FlushToDisk(copy);
        }

        if (FileCalls.SyncFolder(Path) is not 0 and int error)
            throw new IOException($"{Path}: {Describe(error)}");
    }

    /// <inheritdoc/>
    public void Delete(string name)
    {
        if (File.Exists(Full(name)))
            File.Delete(Full(name));
    }

    /// <inheritdoc/>
    public string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    private string Full(string name) => System.IO.Path.Combine(Path, name);
}
