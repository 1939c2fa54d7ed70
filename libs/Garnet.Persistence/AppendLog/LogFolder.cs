// The log's folder on a real disk. Any thread, one call at a time.
using System.Runtime.InteropServices;
using Garnet.Persistence.Files;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>A folder of the file system; created together with its first file.</summary>
internal sealed class LogFolder(string path) : ILogFolder
{
    // Files of the log have at most 32 MB; a much longer one is something else, and not worth the memory.
    private const long MaxFileBytes = 256L << 20;

    /// <inheritdoc/>
    public string Path { get; } = path;

    /// <inheritdoc/>
    public IReadOnlyList<string> List() =>
        Directory.Exists(Path)
            ? [.. Directory.EnumerateFileSystemEntries(Path).Select(System.IO.Path.GetFileName).Select(static name => name!)]
            : [];

    /// <inheritdoc/>
    public ISegmentFile? Create(string name, long bytes, out int error)
    {
        SafeFileHandle? file = null;
        long reserved = 0;
        try
        {
            Directory.CreateDirectory(Path);
            // Deleted and created anew: writing through a link with this name would change another file.
            Delete(name);
            file = FileCalls.CreateDirect(Full(name));
            error = 0;
            // In the page cache, reserved space is more expensive to write than unreserved space.
            if (file is null)
                file = RegularFile.CreateNew(Full(name));
            else if ((error = FileCalls.Allocate(file, bytes)) == 0)
                reserved = bytes;
            if (error == 0)
                error = FileCalls.SyncFolder(Path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The caller reports it like any other disk error.
            error = FileCalls.NumberOf(e);
        }

        if (error == 0)
            return new SegmentFile(file!, reserved);
        if (file is not null)
        {
            file.Dispose();
            TryDelete(name);
        }

        return null;
    }

    /// <inheritdoc/>
    public void Write(string name, ReadOnlySpan<byte> content)
    {
        Directory.CreateDirectory(Path);
        Delete(name);
        using SafeFileHandle file = RegularFile.CreateNew(Full(name));
        RandomAccess.Write(file, content, 0);
        RandomAccess.FlushToDisk(file);
    }

    /// <inheritdoc/>
    public void Rename(string name, string to)
    {
        File.Move(Full(name), Full(to), overwrite: true);
        SyncNames();
    }

    /// <inheritdoc/>
    public int Read(string name, ref byte[] buffer)
    {
        using SafeFileHandle file = RegularFile.OpenRead(Full(name));
        long bytes = RandomAccess.GetLength(file);
        if (bytes > MaxFileBytes)
            throw new IOException($"'{Full(name)}' has {bytes} bytes, more than any file of the log");
        int length = (int)bytes;
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
    public int Read(string name, long position, Span<byte> target)
    {
        using SafeFileHandle file = RegularFile.OpenRead(Full(name));
        return RandomAccess.Read(file, target, position);
    }

    /// <inheritdoc/>
    public long Length(string name) => new FileInfo(Full(name)).Length;

    /// <inheritdoc/>
    public void Truncate(string name, long length)
    {
        using SafeFileHandle file = RegularFile.OpenWrite(Full(name));
        RandomAccess.SetLength(file, length);
        RandomAccess.FlushToDisk(file);
    }

    /// <inheritdoc/>
    public void Import(string path, string name)
    {
        Directory.CreateDirectory(Path);
        Delete(name);
        // A hard link to a symbolic link would depend on wherever that points later.
        if (new FileInfo(path).LinkTarget is not null || FileCalls.Link(path, Full(name)) != 0)
        {
            File.Copy(path, Full(name));
            using SafeFileHandle copy = RegularFile.OpenWrite(Full(name));
            RandomAccess.FlushToDisk(copy);
        }

        SyncNames();
    }

    /// <inheritdoc/>
    public void Delete(string name)
    {
        // Covers dangling links too, which do not count as existing.
        if (Directory.Exists(Path))
            File.Delete(Full(name));
    }

    /// <inheritdoc/>
    public void DeleteGradually(string name, Func<bool> isHurried)
    {
        if (Directory.Exists(Path))
            GradualDeletion.Delete(Full(name), isHurried);
    }

    /// <inheritdoc/>
    public string Describe(int error) => Marshal.GetPInvokeErrorMessage(error);

    // Removes a half-created file after an error that the caller reports; the next attempt replaces it in any case.
    private void TryDelete(string name)
    {
        try
        {
            Delete(name);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException) { }
    }

    private void SyncNames()
    {
        if (FileCalls.SyncFolder(Path) is not 0 and int error)
            throw new IOException($"{Path}: {Describe(error)}");
    }

    private string Full(string name) => System.IO.Path.Combine(Path, name);
}
