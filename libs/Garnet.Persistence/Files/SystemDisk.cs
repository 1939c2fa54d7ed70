// The operating system's file system. Stateless; any thread.
using System.ComponentModel;
using System.Runtime.InteropServices;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Snapshots;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>
/// Real files. On Linux files can be written past the page cache (O_DIRECT), which saves a copy of every byte and a copy of the file in the
/// system's memory.
/// </summary>
internal sealed class SystemDisk : IDisk
{
    private const int OpenCloseOnExec = 0x80000;

    /// <summary>The one instance.</summary>
    public static SystemDisk Instance { get; } = new();

    /// <inheritdoc/>
    public IDiskFile Create(string path, bool isDirect)
    {
        if (isDirect && RegularFile.TryCreateNewDirect(path) is { } handle)
            return new SystemDiskFile(handle, SystemDiskFile.DirectAlignment);
        return new SystemDiskFile(RegularFile.CreateNew(path), 1);
    }

    /// <inheritdoc/>
    public IDiskFile Open(string path) => new SystemDiskFile(File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read), 1);

    /// <inheritdoc/>
    public bool Exists(string path) => File.Exists(path);

    /// <inheritdoc/>
    public void Rename(string from, string to) => File.Move(from, to, overwrite: true);

    /// <inheritdoc/>
    public string? SetAside(string path)
    {
        if (!GradualDeletion.Applies(path))
            return null;
        string aside = TemporaryFile.NameFor(path);
        return FileCalls.Link(path, aside) == 0 ? aside : null;
    }

    /// <inheritdoc/>
    public void Delete(string path) => File.Delete(path);

    /// <inheritdoc/>
    public void DeleteGradually(string path, Func<bool> isHurried) => GradualDeletion.Delete(path, isHurried);

    /// <inheritdoc/>
    public IDisposable? TryLock(string path, string holder, out string heldBy) => FileLock.TryTake(path, holder, out heldBy);

    /// <inheritdoc/>
    public void CheckWritable(string folder)
    {
        // A random name: in containers process ids repeat, and a leftover probe from a crash must not cause a failure.
        string probe = Path.Combine(folder, $".garnet-probe-{Path.GetRandomFileName()}");
        try
        {
            RegularFile.CreateNew(probe).Dispose();
            File.Delete(probe);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new UnauthorizedAccessException(e.Message.Replace(probe, folder, StringComparison.Ordinal), e);
        }
        catch (IOException e)
        {
            throw new IOException(e.Message.Replace(probe, folder, StringComparison.Ordinal), e);
        }
    }

    /// <inheritdoc/>
    public int DeleteLeftovers(string path) => TemporaryFile.DeleteLeftovers(path);

    /// <inheritdoc/>
    public void SyncFolder(string path)
    {
        // Windows makes names durable by itself, and cannot open folders.
        if (HostSystem.IsWindows)
            return;
        int descriptor = open(path, OperatingSystem.IsLinux() ? OpenCloseOnExec : 0, 0);
        if (descriptor < 0)
            throw Failure("open", path);
        using var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        if (fsync(descriptor) != 0)
            throw Failure("fsync", path);
    }

    internal static IOException Failure(string call, string path)
    {
        int error = Marshal.GetLastPInvokeError();
        return new IOException($"{call} of '{path}': {new Win32Exception(error).Message}", error);
    }

    [DllImport("libc", SetLastError = true)]
    private static extern int open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags, int mode);

    [DllImport("libc", SetLastError = true)]
    private static extern int fsync(int descriptor);
}
