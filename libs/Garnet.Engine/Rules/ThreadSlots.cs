// The number of slots in the process. Thread-safe.
namespace Garnet.Engine.Rules;

/// <summary>Numbers the slots.</summary>
internal static class ThreadSlots
{
    /// <summary>The most that there may be.</summary>
    public const int Max = 16;

    private static int s_count;

    /// <summary>The next number.</summary>
    /// <exception cref="InvalidOperationException">There are too many slots.</exception>
    public static int Next()
    {
        int index = Interlocked.Increment(ref s_count) - 1;
        return index < Max ? index : throw new InvalidOperationException($"There are more than {Max} slots of threads.");
    }
}
