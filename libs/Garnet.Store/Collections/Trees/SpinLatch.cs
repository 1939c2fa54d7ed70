// A latch in native memory for critical sections of a few instructions. Thread-safe; not reentrant.
using System.Runtime.CompilerServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>Takes and releases a 32-bit latch: 0 free, 1 taken.</summary>
internal static class SpinLatch
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Enter(ref int latch)
    {
        if (Interlocked.CompareExchange(ref latch, 1, 0) != 0)
            Spin(ref latch);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Exit(ref int latch) => Volatile.Write(ref latch, 0);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Spin(ref int latch)
    {
        var wait = default(SpinWait);
        do
        {
            // Yields but never sleeps, as the holder needs only a few more instructions.
            wait.SpinOnce(sleep1Threshold: -1);
        } while (Volatile.Read(ref latch) != 0 || Interlocked.CompareExchange(ref latch, 1, 0) != 0);
    }
}
