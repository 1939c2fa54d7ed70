// The place of the calling thread among those that want a processor. Each thread for itself.
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Persistence.Snapshots;

/// <summary>Lets a thread of the background give way to those that clients wait for.</summary>
internal static class ThreadRank
{
    // A tenth of what a thread of the usual rank gets where both want the same processor: enough that a machine with no free processor
    // cannot starve a save. With 19 it can.
    private const int Nice = 10;
    private const int OneThread = 0; // PRIO_PROCESS, which on Linux means a thread
    private const uint Caller = 0;

    /// <summary>Puts the calling thread after others, for good: the system lets nobody come back without privileges.</summary>
    public static void GoBehind()
    {
        // Cannot fail for a thread of one's own that asks for less.
        if (HostSystem.IsLinux)
            _ = SetPriority(OneThread, Caller, Nice);
        else
            Thread.CurrentThread.Priority = ThreadPriority.BelowNormal;
    }

    [DllImport("libc", EntryPoint = "setpriority")]
    private static extern int SetPriority(int which, uint who, int nice);
}
