// Gives memory that only the start needed back to the system. Used once, by the stand-alone server: a host process is not ours to tidy.
using System.Runtime.InteropServices;

namespace GarnetServer;

/// <summary>What start-up leaves behind: the compiler's scratch memory in the C library, and objects that are dead by now.</summary>
internal static class StartupMemory
{
    /// <summary>Takes about ten milliseconds beside clients that are being served already.</summary>
    public static void GiveBack()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        // Only the GNU C library keeps so much, and only it has the call.
        if (OperatingSystem.IsLinux() && NativeLibrary.TryLoad("libc.so.6", out nint library) && NativeLibrary.TryGetExport(library, "malloc_trim", out _))
            _ = TrimHeap(0);
    }

    [DllImport("libc.so.6", EntryPoint = "malloc_trim")]
    private static extern int TrimHeap(nuint keptBytes);
}
