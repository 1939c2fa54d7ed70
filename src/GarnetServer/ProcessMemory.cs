// Returns unused memory to the system. Any thread; used by the stand-alone server alone: a host process is not ours
// to tidy.
using System.Runtime.InteropServices;
using Garnet.Store;

namespace Garnet.Tool;

/// <summary>What start-up and the compiler leave behind.</summary>
internal static class ProcessMemory
{
    // Only the GNU C library keeps so much, and only it has the call.
    private static readonly bool CanTrim =
        HostSystem.IsLinux
        && NativeLibrary.TryLoad("libc.so.6", out nint library)
        && NativeLibrary.TryGetExport(library, "malloc_trim", out _);

    /// <summary>
    /// After the start: objects that are dead by now too. Takes about ten milliseconds beside clients that are being served already.
    /// </summary>
    public static void GiveBackAll()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        GiveBackScratch();
    }

    /// <summary>
    /// The scratch memory of the just-in-time compiler, which compiles anew what runs often and leaves some 7 MB in the C library.
    /// </summary>
    public static void GiveBackScratch()
    {
        if (CanTrim)
            _ = TrimHeap(0);
    }

    [DllImport("libc.so.6", EntryPoint = "malloc_trim")]
    private static extern int TrimHeap(nuint keptBytes);
}
