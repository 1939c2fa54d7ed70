// All rounds of one workload on one server. Immutable once filled.
using Garnet.Bench.Load;

namespace Garnet.Bench.Results;

/// <summary>The results of a workload's rounds, and their medians.</summary>
/// <param name="Test">The workload's name.</param>
/// <param name="Server">The server's address.</param>
/// <param name="Rounds">A result a round; at least one.</param>
internal sealed record Measurement(string Test, string Server, IReadOnlyList<LoadResult> Rounds)
{
    /// <summary>The names of the commands.</summary>
    public IEnumerable<string> Commands => Rounds[0].Commands.Select(static command => command.Name);

    /// <summary>The median of a figure over the rounds.</summary>
    public double Median(Func<LoadResult, double> figure) => Median(Rounds.Select(figure));

    /// <summary>The smallest and the largest value of a figure.</summary>
    public (double Least, double Most) Spread(Func<LoadResult, double> figure) => (Rounds.Min(figure), Rounds.Max(figure));

    /// <summary>Whether some reply was an error or a wrong value.</summary>
    public bool HasFailures => Rounds.Any(static round => round.Errors > 0 || round.WrongValues > 0);

    /// <summary>The median of some numbers: the middle one, or the mean of the two in the middle.</summary>
    public static double Median(IEnumerable<double> numbers)
    {
        double[] sorted = [.. numbers.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
