// The resident memory of the process. Any thread.
using System.Globalization;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Server.Eviction;

/// <summary>Reads the resident size; on Linux from a file that stays open, so that ten readings a second cost almost nothing.</summary>
internal static class ResidentMemory
{
    private static readonly SafeFileHandle? File = Open();

    /// <summary>Bytes resident now.</summary>
    public static long Bytes
    {
        get
        {
            if (File is null)
                return Environment.WorkingSet;

            // size resident shared text lib data dt, in pages
            Span<byte> text = stackalloc byte[128];
            ReadOnlySpan<byte> read = text[..RandomAccess.Read(File, text, 0)];
            read = read[(read.IndexOf((byte)' ') + 1)..];
            read = read[..read.IndexOf((byte)' ')];
            return long.Parse(read, CultureInfo.InvariantCulture) * Environment.SystemPageSize;
        }
    }

    private static SafeFileHandle? Open()
    {
        const string Path = "/proc/self/statm";
        return HostSystem.IsLinux && System.IO.File.Exists(Path) ? System.IO.File.OpenHandle(Path) : null;
    }
}
