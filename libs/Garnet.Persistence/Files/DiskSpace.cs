// Tells a disk without space, or a user without quota, from other disk errors. Stateless.
namespace Garnet.Persistence.Files;

/// <summary>Error numbers of a full disk.</summary>
internal static class DiskSpace
{
    private const int NoSpace = 28; // ENOSPC
    private const int OverQuota = 122; // EDQUOT
    private const int HandleDiskFull = 39; // Windows: ERROR_HANDLE_DISK_FULL
    private const int DiskFull = 112; // Windows: ERROR_DISK_FULL

    /// <summary>Whether an error number of the system says so.</summary>
    public static bool IsMissing(int error) =>
        OperatingSystem.IsWindows() ? error is HandleDiskFull or DiskFull : error is NoSpace or OverQuota;

    /// <summary>Whether an exception says so: its code is the system's number, on Windows with a facility.</summary>
    public static bool IsMissing(Exception e) => e is IOException && IsMissing(e.HResult & 0xFFFF);
}
