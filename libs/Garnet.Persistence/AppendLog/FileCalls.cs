// System calls on files that .NET does not offer: fdatasync, fallocate, and results without exceptions. Any thread.
using System.Runtime.InteropServices;
using Garnet.Persistence.Files;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>System calls on Linux; elsewhere the nearest that the runtime offers.</summary>
internal static partial class FileCalls
{
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NotSupported = 95;

    private const int NotImplemented = 38;

    // fcntl: F_SETSIG with SIGURG, F_SETLEASE with F_WRLCK and F_UNLCK.
    private const int SetSignal = 10;
    private const int IgnoredSignal = 23;
    private const int SetLease = 1024;
    private const int WriteLease = 1;
    private const int NoLease = 2;
    private const int WindowsFacility = 7;
    private const int MaxNumbers = 200;
    private const int MaxBytes = 1 << 30;
    private const uint BriefMicroseconds = 30;

    public static int Write(SafeFileHandle file, nint source, int bytes, long position)
    {
        if (!HostSystem.IsLinux)
            return WriteElsewhere(file, source, bytes, position);
        nint written = PWrite(file, source, Math.Min(bytes, MaxBytes), position);
        return written < 0 ? -Marshal.GetLastPInvokeError() : (int)written;
    }

    public static int Read(SafeFileHandle file, nint target, int bytes, long position)
    {
        if (!HostSystem.IsLinux)
            return ReadElsewhere(file, target, bytes, position);
        nint read = PRead(file, target, Math.Min(bytes, MaxBytes), position);
        return read < 0 ? -Marshal.GetLastPInvokeError() : (int)read;
    }

    /// <summary>
    /// Creates a new file whose writes bypass the page cache: a page of the cache costs several times more processor time than the bytes
    /// themselves, and more where space was reserved. Null where the file system does not support that, or not in units of
    /// <see cref="SegmentDevice.WriteBytes"/>.
    /// </summary>
    public static SafeFileHandle? CreateDirect(string path)
    {
        if (RegularFile.TryCreateNewDirect(path) is not { } file)
            return null;
        if (TryWriteUnit(file))
            return file;
        file.Dispose();
        File.Delete(path);
        return null;
    }

    public static int Sync(SafeFileHandle file)
    {
        if (HostSystem.IsLinux)
            return FDataSync(file) == 0 ? 0 : Marshal.GetLastPInvokeError();
        try
        {
            RandomAccess.FlushToDisk(file);
            return 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return NumberOf(e);
        }
    }

    /// <summary>
    /// Reserves space, so that a full disk is noticed before there is something to write. Does nothing where the file system does not
    /// support it.
    /// </summary>
    public static int Allocate(SafeFileHandle file, long bytes)
    {
        if (!HostSystem.IsLinux)
            return 0;
        int error;
        do
        {
            error = FAllocate(file, 0, 0, bytes) == 0 ? 0 : Marshal.GetLastPInvokeError();
        } while (error == Interrupted);
        return error is NotSupported or NotImplemented ? 0 : error;
    }

    /// <summary>Gives a file a second name (hard link).</summary>
    public static int Link(string path, string second)
    {
        if (!HostSystem.IsLinux)
            return NotSupported;
        return HardLink(path, second) == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    /// <summary>Whether a file opened for writing is open nowhere else, in no process; false where the system cannot tell.</summary>
    public static bool IsOpenOnce(SafeFileHandle file)
    {
        if (!HostSystem.IsLinux)
            return false;
        // The kernel grants a lease for writing only on a file that no one else has open. Who opens it before the lease is given back waits
        // for that, and the holder gets a signal: not the usual one, which would end the process.
        bool isOpenOnce = Control(file, SetSignal, IgnoredSignal) == 0 && Control(file, SetLease, WriteLease) == 0;
        return isOpenOnce && Control(file, SetLease, NoLease) == 0;
    }

    /// <summary>Yields the processor for about a tenth of a millisecond.</summary>
    public static void SleepBriefly()
    {
        if (!HostSystem.IsLinux || USleep(BriefMicroseconds) != 0)
            Thread.Sleep(0);
    }

    /// <summary>Makes new names in a folder durable.</summary>
    public static int SyncFolder(string path)
    {
        try
        {
            SystemDisk.Instance.SyncFolder(path);
            return 0;
        }
        catch (IOException e)
        {
            return NumberOf(e);
        }
    }

    /// <summary>The errno for an exception, as Linux's calls would return it.</summary>
    public static int NumberOf(Exception trouble) =>
        trouble switch
        {
            // Windows: facility 7 of the HRESULT carries the Win32 error code.
            IOException { HResult: < 0 and var result } when (result >> 16 & 0x7FF) == WindowsFacility => result & 0xFFFF,
            IOException { HResult: > 0 and < MaxNumbers and var number } => number,
            _ => InputOutput,
        };

    // Tests direct I/O with a unit of zeros at the place that the log writes first in any case.
    private static bool TryWriteUnit(SafeFileHandle file)
    {
        byte[] memory = GC.AllocateArray<byte>(2 * SegmentDevice.WriteBytes, pinned: true);
        nint start = Marshal.UnsafeAddrOfPinnedArrayElement(memory, 0);
        nint aligned = (start + SegmentDevice.WriteBytes - 1) & ~(nint)(SegmentDevice.WriteBytes - 1);
        return Write(file, aligned, SegmentDevice.WriteBytes, 0) == SegmentDevice.WriteBytes;
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
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return -NumberOf(e);
        }
    }

    private static int ReadElsewhere(SafeFileHandle file, nint target, int bytes, long position)
    {
        byte[] copy = new byte[bytes];
        try
        {
            int read = RandomAccess.Read(file, copy, position);
            Marshal.Copy(copy, 0, target, read);
            return read;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return -NumberOf(e);
        }
    }

    [LibraryImport("libc", EntryPoint = "pread", SetLastError = true)]
    private static partial nint PRead(SafeFileHandle file, nint target, nint count, long position);

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    private static partial nint PWrite(SafeFileHandle file, nint source, nint count, long position);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FDataSync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(SafeFileHandle file, int command, int argument);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    private static partial int FAllocate(SafeFileHandle file, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int USleep(uint microseconds);

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int HardLink(string path, string second);
}
