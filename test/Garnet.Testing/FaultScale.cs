// How much of each fault run is done: a slice by default, all of it when asked. Immutable; any thread.
using System.Globalization;

namespace Garnet.Testing;

/// <summary>
/// Counts and times of the fault tests. GARNET_FAULTS_FULL=1 asks for the full counts, GARNET_FAULT_ROUNDS for this many of each,
/// GARNET_FUZZ_SECONDS for longer fuzzing.
/// </summary>
public static class FaultScale
{
    /// <summary>True when the full counts are asked for.</summary>
    public static bool IsFull { get; } = Environment.GetEnvironmentVariable("GARNET_FAULTS_FULL") == "1";

    /// <summary>How long each fuzz test runs.</summary>
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

    /// <summary>One of the two, or the count asked for when it lies between them.</summary>
    public static int Count(int usual, int full) =>
        Rounds is { } rounds ? Math.Clamp(rounds, usual, full)
        : IsFull ? full
        : usual;
}
