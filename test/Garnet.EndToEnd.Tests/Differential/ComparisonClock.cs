// When the two sides of a comparison ran. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Unix times in milliseconds: a transcript may be much older than its replay.</summary>
/// <param name="Expected">When the reference ran.</param>
/// <param name="Actual">When the server under test ran.</param>
internal readonly record struct ComparisonClock(long Expected, long Actual)
{
    private const long ToleranceMs = 30_000;

    /// <summary>Both sides ran just now.</summary>
    public static ComparisonClock Live
    {
        get
        {
            long now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
            return new ComparisonClock(now, now);
        }
    }

    /// <summary>
    /// Whether remaining times agree: after a relative expiry they are equal, for an absolute time they shrink as time passes.
    /// </summary>
    public bool SameRemaining(long expectedMs, long actualMs) =>
        (expectedMs < 0 || actualMs < 0)
            ? expectedMs == actualMs
            : Near(expectedMs, actualMs) || Near(expectedMs - (Actual - Expected), actualMs);

    /// <summary>Whether times agree: an absolute expiry is the same, a relative one moves with the clock.</summary>
    public bool SameMoment(long expectedMs, long actualMs) =>
        expectedMs == actualMs || (expectedMs >= 0 && actualMs >= 0 && Near(expectedMs + (Actual - Expected), actualMs));

    private static bool Near(long a, long b) => Math.Abs(a - b) <= ToleranceMs;
}
