// The figures of one line of a result. Immutable.
using Garnet.Bench.Load;
using HdrHistogram;

namespace Garnet.Bench.Results;

/// <summary>Medians over the rounds of a command, or of all of a workload's; counts are sums. Latencies are in milliseconds.</summary>
internal sealed class CommandFigures
{
    private const double NanosecondsPerMillisecond = 1_000_000;

    private readonly IReadOnlyList<double> _percentiles;

    private CommandFigures(string name, Measurement measurement, Func<LoadResult, LongHistogram> histogram, IReadOnlyList<double> shown)
    {
        Name = name;
        LongHistogram[] histograms = [.. measurement.Rounds.Select(histogram)];
        Requests = histograms.Sum(static round => round.TotalCount);
        Rate = Measurement.Median(
            measurement.Rounds.Zip(histograms, static (round, all) => round.Rate * Share(all.TotalCount, round.Requests))
        );
        MeanMs = Measurement.Median(
            histograms.Select(static round => round.TotalCount > 0 ? round.GetMean() / NanosecondsPerMillisecond : 0)
        );
        MaxMs = histograms.Max(static round => Milliseconds(round, 100));
        _percentiles = [.. shown.Select(percentile => Measurement.Median(histograms.Select(round => Milliseconds(round, percentile))))];
    }

    /// <summary>The command's name, or that of the total.</summary>
    public string Name { get; }

    /// <summary>Replies, of all rounds.</summary>
    public long Requests { get; }

    /// <summary>Replies a second.</summary>
    public double Rate { get; }

    /// <summary>Mean latency.</summary>
    public double MeanMs { get; }

    /// <summary>The longest latency of all rounds.</summary>
    public double MaxMs { get; }

    /// <summary>Replies that were errors, of all rounds.</summary>
    public long Errors { get; private init; }

    /// <summary>Replies that were null, of all rounds.</summary>
    public long Nulls { get; private init; }

    /// <summary>Replies that were not the value of their key, of all rounds.</summary>
    public long WrongValues { get; private init; }

    /// <summary>Latencies at the percentiles that are shown, in their order.</summary>
    public IReadOnlyList<double> PercentilesMs => _percentiles;

    /// <summary>The figures of each command, and of all together where there are several.</summary>
    public static IReadOnlyList<CommandFigures> Of(Measurement measurement, IReadOnlyList<double> percentiles)
    {
        var lines = new List<CommandFigures>();
        foreach (string name in measurement.Commands)
            lines.Add(Of(name, measurement, round => [Command(round, name)], percentiles));
        if (lines.Count > 1)
            lines.Add(Of("total", measurement, static round => round.Commands, percentiles));
        return lines;
    }

    /// <summary>The figures of all commands together.</summary>
    public static CommandFigures Total(Measurement measurement, IReadOnlyList<double> percentiles) => Of(measurement, percentiles)[^1];

    private static CommandFigures Of(
        string name,
        Measurement measurement,
        Func<LoadResult, IReadOnlyList<CommandResult>> commands,
        IReadOnlyList<double> percentiles
    )
    {
        CommandResult[] all = [.. measurement.Rounds.SelectMany(commands)];
        return new CommandFigures(name, measurement, round => Sum(commands(round)), percentiles)
        {
            Errors = all.Sum(static command => command.Errors),
            Nulls = all.Sum(static command => command.Nulls),
            WrongValues = all.Sum(static command => command.WrongValues),
        };
    }

    private static CommandResult Command(LoadResult round, string name) => round.Commands.First(command => command.Name == name);

    private static LongHistogram Sum(IReadOnlyList<CommandResult> commands)
    {
        if (commands.Count == 1)
            return commands[0].Latencies;
        var sum = new CommandResult("");
        foreach (CommandResult command in commands)
            sum.Add(command);
        return sum.Latencies;
    }

    private static double Share(long part, long whole) => whole > 0 ? (double)part / whole : 0;

    private static double Milliseconds(LongHistogram histogram, double percentile) =>
        histogram.TotalCount > 0 ? histogram.GetValueAtPercentile(percentile) / NanosecondsPerMillisecond : 0;
}
