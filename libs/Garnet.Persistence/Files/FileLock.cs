// An exclusive lock on writing some files, held by one server at a time. Taken and released by any thread.
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>
/// An exclusive operating-system lock on a file created for it. It is released when the process ends, however that happens. It excludes
/// servers in the same process as well: each has its own open file, and where the file system does not support locks, a list of the names
/// held replaces them. The file's content says who holds the lock.
/// </summary>
internal sealed partial class FileLock : IDisposable
{
    private const int Exclusive = 2;
    private const int WithoutWaiting = 4;
    private const int WouldBlock = 11;
    private const int SharingViolation = 32;
    private const int MaxTries = 100;
    private const int MaxHolderBytes = 1024;

    private static readonly Dictionary<string, string> Held = [];

    private readonly SafeFileHandle _file;
    private bool _isReleased;

    private FileLock(string path, SafeFileHandle file)
    {
        Path = path;
        _file = file;
    }

    /// <summary>The lock file.</summary>
    public string Path { get; }

    /// <summary>Takes the lock, or returns who holds it.</summary>
    /// <param name="path">A file created for the lock; it is deleted when the lock is released.</param>
    /// <param name="holder">Description of the holder, shown to others while the lock is held.</param>
    /// <param name="heldBy">The present holder, when null is returned.</param>
    /// <exception cref="IOException">The file cannot be created, or something else has its name.</exception>
    /// <exception cref="UnauthorizedAccessException">The file cannot be created.</exception>
    public static FileLock? TryTake(string path, string holder, out string heldBy)
    {
        path = System.IO.Path.GetFullPath(path);
        heldBy = "";
        lock (Held)
        {
            if (Held.TryGetValue(path, out string? known))
            {
                heldBy = known;
                return null;
            }

            if (TryOpen(path) is not { } file)
            {
                heldBy = ReadHolder(path);
                return null;
            }

            FileLock taken = new(path, file);
            Held.Add(path, holder);
            taken.Write(holder);
            return taken;
        }
    }

    /// <summary>Replaces the description of the holder.</summary>
    public void Describe(string holder)
    {
        lock (Held)
        {
            if (_isReleased)
                return;
            Held[Path] = holder;
            Write(holder);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (Held)
        {
            if (_isReleased)
                return;
            _isReleased = true;
            Held.Remove(Path);
            // While the lock is held, the name belongs to this file: a server that has opened the file and gets the lock next sees that the
            // file has lost its name, and creates another.
            if (HostSystem.IsLinux && RegularFile.IsStillNamed(_file, Path))
                TryDelete();
            _file.Dispose();
        }
    }

    private static SafeFileHandle? TryOpen(string path)
    {
        for (int tries = 0; tries < MaxTries; tries++)
        {
            SafeFileHandle? file = HostSystem.IsLinux ? TryOpenLocked(path) : TryOpenElsewhere(path);
            if (file is null || RegularFile.IsStillNamed(file, path))
                return file;
            // Deleted by its holder between the open and the lock.
            file.Dispose();
        }

        throw new IOException($"'{path}' is not a lock file of this server: it has a second name");
    }

    private static SafeFileHandle? TryOpenLocked(string path)
    {
        SafeFileHandle file = RegularFile.OpenOrCreate(path);
        if (FLock(file, Exclusive | WithoutWaiting) == 0 || Marshal.GetLastPInvokeError() != WouldBlock)
            return file;
        file.Dispose();
        return null;
    }

    // Windows lets others read the holder's description. Elsewhere the runtime locks only files opened without sharing, and reading takes
    // no lock.
    private static SafeFileHandle? TryOpenElsewhere(string path)
    {
        try
        {
            return OperatingSystem.IsWindows()
                ? File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read, FileOptions.DeleteOnClose)
                : File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException e) when ((e.HResult & 0xFFFF) is SharingViolation or WouldBlock)
        {
            return null;
        }
    }

    private static string ReadHolder(string path)
    {
        try
        {
            using SafeFileHandle file = RegularFile.OpenRead(path);
            byte[] bytes = new byte[MaxHolderBytes];
            string text = Encoding.UTF8.GetString(bytes, 0, RandomAccess.Read(file, bytes, 0)).Trim();
            return text.Length == 0 ? "another server" : text;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The lock has just been released, or belongs to another user.
            return "another server";
        }
    }

    // Failure to write the description is ignored: others still see that the lock is held, and a full disk is no reason not to start.
    private void Write(string holder)
    {
        try
        {
            RandomAccess.SetLength(_file, 0);
            RandomAccess.Write(_file, Encoding.UTF8.GetBytes(holder + "\n"), 0);
        }
        catch (IOException) { }
    }

    private void TryDelete()
    {
        try
        {
            File.Delete(Path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folder may have become read-only. A leftover lock file locks nothing.
        }
    }

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int FLock(SafeFileHandle file, int operation);
}
