// How many rounds the fault tests run: few by default, the full number on request. Immutable; any thread.
using System.Globalization;

namespace Garnet.Testing;

/// <summary>
/// Counts and durations of the fault tests. GARNET_FAULTS_FULL=1 selects the full counts, GARNET_FAULT_ROUNDS sets the count of each test,
/// GARNET_FUZZ_SECONDS lengthens fuzzing.
/// </summary>
internal static class FaultScale
{
    /// <summary>Whether the full counts were requested.</summary>
    public static bool IsFull { get; } = Environment.GetEnvironmentVariable("GARNET_FAULTS_FULL") == "1";

    /// <summary>Duration of each fuzz test.</summary>
    public static TimeSpan FuzzTime { get; } =
        TimeSpan.FromSeconds(
            Environment.GetEnvironmentVariable("GARNET_FUZZ_SECONDS") is { Length: > 0 } text
                ? double.Parse(text, CultureInfo.InvariantCulture)
            : IsFull ? 600
            : 3
        );

    private static int? Rounds { get; } =
        Environment.GetEnvironmentVariable("GARNET_FAULT_ROUNDS") is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;

    /// <summary>The usual or the full count, or the requested count if it is between them.</summary>
    public static int Count(int usual, int full) =>
        Rounds is { } rounds ? Math.Clamp(rounds, usual, full)
        : IsFull ? full
        : usual;
}
