// Times in the units of commands. Pure functions.
namespace Garnet.Hosting.InProcess;

/// <summary>Whole milliseconds of time spans.</summary>
internal static class Milliseconds
{
    /// <summary>A time span in milliseconds, rounded up, so that nothing expires early.</summary>
    public static long RoundUp(TimeSpan span)
    {
        (long whole, long rest) = Math.DivRem(span.Ticks, TimeSpan.TicksPerMillisecond);
        return rest > 0 ? whole + 1 : whole;
    }

    /// <summary>The span of so many milliseconds, the longest there is when they are too many.</summary>
    public static TimeSpan ToTimeSpan(long milliseconds) =>
        milliseconds > (long)TimeSpan.MaxValue.TotalMilliseconds ? TimeSpan.MaxValue : TimeSpan.FromMilliseconds(milliseconds);
}
