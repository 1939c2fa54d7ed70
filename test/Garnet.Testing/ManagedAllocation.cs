// What code allocates on the managed heap. Any thread.
namespace Garnet.Testing;

/// <summary>Measures allocations of the calling thread.</summary>
internal static class ManagedAllocation
{
    private const int Measurements = 5;

    /// <summary>
    /// The fewest bytes that one of several calls allocates: a garbage collection that trims pooled buffers, or the compilation of a
    /// method, adds to one of them, while code that allocates adds to all.
    /// </summary>
    public static long Least(Action work)
    {
        long least = long.MaxValue;
        for (int i = 0; i < Measurements; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
