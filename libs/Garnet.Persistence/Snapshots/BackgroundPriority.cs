// The scheduling priority of the calling thread. Each thread for itself.
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Persistence.Snapshots;

/// <summary>Lets a background thread yield to threads that clients wait for.</summary>
internal static class BackgroundPriority
{
    // A tenth of the share of a normal thread where both want the same processor: enough that a machine without a free processor cannot
    // starve a save. With 19 it can.
    private const int Nice = 10;
    private const int OneThread = 0; // PRIO_PROCESS, which on Linux means a thread
    private const uint Caller = 0;

    /// <summary>Lowers the calling thread's priority permanently: the system does not let an unprivileged thread raise it again.</summary>
    public static void Lower()
    {
        // Cannot fail for the thread itself when it lowers its priority.
        if (HostSystem.IsLinux)
            _ = SetPriority(OneThread, Caller, Nice);
        else
            Thread.CurrentThread.Priority = ThreadPriority.BelowNormal;
    }

    [DllImport("libc", EntryPoint = "setpriority")]
    private static extern int SetPriority(int which, uint who, int nice);
}
