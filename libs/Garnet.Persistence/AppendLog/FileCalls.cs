// The system's calls on files that .NET does not offer: fdatasync, fallocate, and results without exceptions. Any thread.
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>Linux by its own calls; elsewhere the runtime's nearest.</summary>
internal static partial class FileCalls
{
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NotSupported = 95;

    private const int NotImplemented = 38;
    private const int MostBytes = 1 << 30;

    public static int Write(SafeFileHandle file, nint source, int bytes, long position)
    {
        if (!OperatingSystem.IsLinux())
            return WriteElsewhere(file, source, bytes, position);
        nint written = PWrite(file, source, Math.Min(bytes, MostBytes), position);
        return written < 0 ? -Marshal.GetLastPInvokeError() : (int)written;
    }

    public static int Sync(SafeFileHandle file)
    {
        if (OperatingSystem.IsLinux())
            return FDataSync(file) == 0 ? 0 : Marshal.GetLastPInvokeError();
        try
        {
            RandomAccess.FlushToDisk(file);
            return 0;
        }
        catch (IOException)
        {
            // Told as a number, as Linux does.
            return InputOutput;
        }
    }

    /// <summary>Reserves space, so that a full disk shows before there is something to write. Where the file system cannot, nothing is reserved.</summary>
    public static int Allocate(SafeFileHandle file, long bytes)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        int error;
        do
        {
            error = FAllocate(file, 0, 0, bytes) == 0 ? 0 : Marshal.GetLastPInvokeError();
        }
        while (error == Interrupted);
        return error is NotSupported or NotImplemented ? 0 : error;
    }

    /// <summary>Gives a file a second name.</summary>
    public static int Link(string path, string second)
    {
        if (!OperatingSystem.IsLinux())
            return NotSupported;
        return HardLink(path, second) == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    /// <summary>Makes new names in a folder durable. Other systems than Linux do it with the files.</summary>
    public static int SyncFolder(string path)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        using SafeFileHandle folder = Open(path, 0);
        return folder.IsInvalid || FSync(folder) != 0 ? Marshal.GetLastPInvokeError() : 0;
    }

    private static int WriteElsewhere(SafeFileHandle file, nint source, int bytes, long position)
    {
        byte[] copy = new byte[bytes];
        Marshal.Copy(source, copy, 0, bytes);
        try
        {
            RandomAccess.Write(file, copy, position);
            return bytes;
        }
        catch (IOException)
        {
            // Told as a number, as Linux does.
            return -InputOutput;
        }
    }

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    private static partial nint PWrite(SafeFileHandle file, nint source, nint count, long position);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FDataSync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int FSync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    private static partial int FAllocate(SafeFileHandle file, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string path, string second);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);
}
