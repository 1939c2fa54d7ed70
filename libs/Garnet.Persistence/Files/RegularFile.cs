// Opens files of the data folder such that only regular files are ever read or written. Stateless; any thread.
using System.ComponentModel;
using System.Runtime.InteropServices;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>
/// A FIFO, a device or a folder in place of a data file would block the caller or fail half-way, and a symbolic link in place of a file
/// about to be created would make the server write somewhere else. Every failure is an <see cref="IOException"/> or an
/// <see cref="UnauthorizedAccessException"/> that names the file.
/// </summary>
internal static partial class RegularFile
{
    // Flags of open(2). O_DIRECT and O_NOFOLLOW have different values on ARM.
    private const int ReadWrite = 2;
    private const int CreateExclusive = 0x40 | 0x80;
    private const int CreateIfMissing = 0x40;
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int OwnerAndReaders = 0x1A4;
    private const int InvalidArgument = 22;

    // Flags of statx(2).
    private const int EmptyPath = 0x1000;
    private const int NoFollowStat = 0x100;
    private const int AtCurrentFolder = -100;
    private const uint BasicStats = 0x7FF;
    private const ushort TypeMask = 0xF000;
    private const ushort RegularType = 0x8000;
    private const ushort PipeType = 0x1000;

    // struct statx has the same layout on every processor.
    private const int StatusBytes = 256;
    private const int LinksAt = 16;
    private const int ModeAt = 28;
    private const int InodeAt = 32;
    private const int DeviceAt = 136;

    private static bool IsArm => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;

    private static int Direct => IsArm ? 0x10000 : 0x4000;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Opens an existing file for reading; links to it are followed.</summary>
    public static SafeFileHandle OpenRead(string path) =>
        HostSystem.IsLinux
            ? OpenRegular(path, NonBlocking | CloseOnExec)
            : File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>As <see cref="OpenRead"/>, as a stream.</summary>
    public static FileStream OpenStream(string path) => new(OpenRead(path), FileAccess.Read, bufferSize: 0);

    /// <summary>As <see cref="OpenStream"/>, but a FIFO is read as one: the caller waits for its writer.</summary>
    public static FileStream OpenStreamOrPipe(string path) =>
        IsPipe(path) ? new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0) : OpenStream(path);

    /// <summary>Opens an existing file for reading and writing; fails on a symbolic link.</summary>
    public static SafeFileHandle OpenWrite(string path) =>
        HostSystem.IsLinux
            ? OpenRegular(path, ReadWrite | NonBlocking | CloseOnExec | NoFollow)
            : File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Opens a file for reading and writing, creating it if it is missing; fails on a symbolic link. Linux only.</summary>
    public static SafeFileHandle OpenOrCreate(string path) =>
        OpenRegular(path, ReadWrite | CreateIfMissing | NonBlocking | CloseOnExec | NoFollow);

    /// <summary>Creates a new file; fails if the name exists, even as a symbolic link.</summary>
    public static SafeFileHandle CreateNew(string path) =>
        File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>
    /// As <see cref="CreateNew"/>, with writes that bypass the page cache (O_DIRECT). Null, without creating anything, where the file
    /// system does not support that (tmpfs, some network file systems).
    /// </summary>
    public static SafeFileHandle? TryCreateNewDirect(string path)
    {
        if (!HostSystem.IsLinux)
            return null;
        SafeFileHandle file = Open(path, ReadWrite | CreateExclusive | CloseOnExec | Direct | NoFollow, OwnerAndReaders);
        if (!file.IsInvalid)
            return file;
        int error = Marshal.GetLastPInvokeError();
        file.Dispose();
        if (error != InvalidArgument)
            throw Failure(path, error);
        // Some file systems create the file before they reject the flag.
        File.Delete(path);
        return null;
    }

    /// <summary>
    /// Whether the name still refers to the open file, and the file has no other name. True where the system cannot tell.
    /// </summary>
    public static bool IsStillNamed(SafeFileHandle file, string path)
    {
        Span<byte> own = stackalloc byte[StatusBytes];
        Span<byte> named = stackalloc byte[StatusBytes];
        if (!HostSystem.IsLinux || !TryStat(file, own))
            return true;
        return StatOf(AtCurrentFolder, path, NoFollowStat, BasicStats, ref MemoryMarshal.GetReference(named)) == 0
            && HasOneName(own)
            && own.Slice(InodeAt, sizeof(ulong)).SequenceEqual(named.Slice(InodeAt, sizeof(ulong)))
            && own.Slice(DeviceAt, sizeof(ulong)).SequenceEqual(named.Slice(DeviceAt, sizeof(ulong)));
    }

    /// <summary>Whether the open file has no name but one; false where the system cannot tell.</summary>
    public static bool HasOneName(SafeFileHandle file)
    {
        Span<byte> status = stackalloc byte[StatusBytes];
        return HostSystem.IsLinux && TryStat(file, status) && HasOneName(status);
    }

    private static bool HasOneName(ReadOnlySpan<byte> status) => MemoryMarshal.Read<uint>(status[LinksAt..]) == 1;

    private static SafeFileHandle OpenRegular(string path, int flags)
    {
        SafeFileHandle file = Open(path, flags, OwnerAndReaders);
        if (file.IsInvalid)
        {
            int error = Marshal.GetLastPInvokeError();
            file.Dispose();
            throw Failure(path, error);
        }

        Span<byte> status = stackalloc byte[StatusBytes];
        if (!TryStat(file, status) || (MemoryMarshal.Read<ushort>(status[ModeAt..]) & TypeMask) == RegularType)
            return file;
        file.Dispose();
        throw new IOException($"'{path}' is not a regular file");
    }

    // Checked by name: opening the pipe would unblock its writer, and closing it again would break the pipe.
    private static bool IsPipe(string path)
    {
        Span<byte> status = stackalloc byte[StatusBytes];
        return HostSystem.IsLinux
            && StatOf(AtCurrentFolder, path, 0, BasicStats, ref MemoryMarshal.GetReference(status)) == 0
            && (MemoryMarshal.Read<ushort>(status[ModeAt..]) & TypeMask) == PipeType;
    }

    private static bool TryStat(SafeFileHandle file, Span<byte> status)
    {
        bool isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            return StatOf((int)file.DangerousGetHandle(), "", EmptyPath, BasicStats, ref MemoryMarshal.GetReference(status)) == 0;
        }
        finally
        {
            if (isHeld)
                file.DangerousRelease();
        }
    }

    private static Exception Failure(string path, int error)
    {
        const int NoEntry = 2;
        const int AccessDenied = 13;
        string message = $"'{path}': {new Win32Exception(error).Message}";
        return error switch
        {
            NoEntry => new FileNotFoundException(message, path),
            AccessDenied => new UnauthorizedAccessException(message),
            _ => new IOException(message, error),
        };
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int StatOf(int folder, string path, int flags, uint mask, ref byte status);
}
