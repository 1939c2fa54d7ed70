// The operating system's file system. Stateless; any thread.
using System.ComponentModel;
using System.Runtime.InteropServices;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>Real files. On Linux files can be written past the page cache (O_DIRECT), which saves the processor a copy of every byte and the system's memory a copy of the file.</summary>
public sealed class SystemDisk : IDisk
{
    private const int OpenReadWrite = 2;
    private const int OpenCreate = 0x40;
    private const int OpenTruncate = 0x200;
    private const int OpenCloseOnExec = 0x80000;
    private const int InvalidArgument = 22;
    private const UnixFileMode NewFileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    /// <summary>The one instance.</summary>
    public static SystemDisk Instance { get; } = new();

    // The flag's bit differs between processors.
    private static int OpenDirect => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm ? 0x10000 : 0x4000;

    /// <inheritdoc/>
    public IDiskFile Create(string path, bool isDirect)
    {
        if (isDirect && HostSystem.IsLinux && TryCreateDirect(path) is { } handle)
            return new SystemDiskFile(handle, SystemDiskFile.DirectAlignment);
        return new SystemDiskFile(File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.Read), 1);
    }

    /// <inheritdoc/>
    public IDiskFile Open(string path) => new SystemDiskFile(File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read), 1);

    /// <inheritdoc/>
    public bool Exists(string path) => File.Exists(path);

    /// <inheritdoc/>
    public void Rename(string from, string to) => File.Move(from, to, overwrite: true);

    /// <inheritdoc/>
    public void Delete(string path) => File.Delete(path);

    /// <inheritdoc/>
    public void SyncFolder(string path)
    {
        // Windows writes names through by itself, and opens no folders.
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

    // Null where the file system has no such files (tmpfs, some network file systems).
    private static SafeFileHandle? TryCreateDirect(string path)
    {
        int descriptor = open(path, OpenReadWrite | OpenCreate | OpenTruncate | OpenCloseOnExec | OpenDirect, (int)NewFileMode);
        if (descriptor >= 0)
            return new SafeFileHandle(descriptor, ownsHandle: true);
        return Marshal.GetLastPInvokeError() == InvalidArgument ? null : throw Failure("open", path);
    }

    [DllImport("libc", SetLastError = true)]
    private static extern int open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags, int mode);

    [DllImport("libc", SetLastError = true)]
    private static extern int fsync(int descriptor);
}
