// What a reader of the figures has to know. Pure functions.
using System.Globalization;
using Garnet.Bench.Load;

namespace Garnet.Bench.Results;

/// <summary>Sentences about a measurement that stand below its figures.</summary>
internal static class ReportNotes
{
    private const double BusyLoad = 0.9;
    private const double ManyNulls = 0.5;

    // At first the compiler is busy, too.
    private static readonly TimeSpan ShortRun = TimeSpan.FromSeconds(1);

    /// <summary>The notes of a measurement; often none.</summary>
    public static IEnumerable<string> Of(Measurement measurement)
    {
        foreach (CommandResult command in measurement.Rounds.SelectMany(static round => round.Commands))
        {
            if (command.FirstError is { } error)
            {
                yield return $"{command.Name}: the server replied with errors, the first: {error}";
                break;
            }
        }

        if (measurement.Rounds.Sum(static round => round.WrongValues) is var wrong and > 0)
            yield return $"{FigureText.Whole(wrong)} values read were not those written; did another run or client write these keys?";
        if (measurement.Rounds.Sum(static round => round.Unsent) is var unsent and > 0)
            yield return $"{FigureText.Whole(unsent)} requests were due and never sent: the server did not reach the rate, latencies are worse than shown";
        if (
            measurement.Rounds.Where(static round => round.Elapsed > ShortRun).Select(static round => round.OwnLoad).DefaultIfEmpty().Max()
            is var load
                and > BusyLoad
        )
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"the load generator was busy for {load * 100:0} % of the time: the server may be able to do more (--threads)"
            );
        }

        foreach (string command in measurement.Commands)
        {
            if (Misses(measurement, command) is var misses and > ManyNulls)
            {
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{misses * 100:0} % of {command} found nothing, which costs a server less than a value (--fill and --prepare write keys first)"
                );
            }
        }
    }

    private static double Misses(Measurement measurement, string name)
    {
        CommandResult[] replies = [.. measurement.Rounds.SelectMany(static round => round.Commands).Where(command => command.Name == name)];
        long all = replies.Sum(static command => command.Latencies.TotalCount);
        return all == 0 ? 0 : (double)replies.Sum(static command => command.Nulls) / all;
    }
}
