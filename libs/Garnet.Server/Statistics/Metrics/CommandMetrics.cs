// Metrics of commands, by their family. Stateless; any thread.
using System.Globalization;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>
/// Calls, failures and latencies. One label value per family (string, hash, ...) keeps the number of series small whatever clients send.
/// </summary>
internal static class CommandMetrics
{
    private const string Family = "family";

    // Bounds of the histogram's buckets; the longest distinguishable latency is a second.
    private static readonly long[] BoundsNs =
    [
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000,
        25_000_000,
        50_000_000,
        100_000_000,
        250_000_000,
        500_000_000,
    ];

    public static IReadOnlyList<Metric> All { get; } =
    [
        new("garnet.commands", MetricKind.Counter, "", "Commands executed.", static look => ByFamily(look, look.Totals.Calls)),
        new(
            "garnet.commands.failed",
            MetricKind.Counter,
            "",
            "Commands that replied with an error.",
            static look => ByFamily(look, look.Totals.Failed)
        ),
        new(
            "garnet.commands.rejected",
            MetricKind.Counter,
            "",
            "Commands rejected before they were executed.",
            static look => ByFamily(look, look.Totals.Rejected)
        ),
        new(
            "garnet.command.time",
            MetricKind.Counter,
            "s",
            "Time spent executing commands.",
            static look => ByFamily(look, look.Totals.Microseconds, 1e-6)
        ),
        new("garnet.command.duration", MetricKind.Histogram, "s", "Command latencies; empty while latency-tracking is off.", Durations),
        new(
            "garnet.errors",
            MetricKind.Counter,
            "",
            "Error replies by their first word.",
            static look => look.Totals.Errors.Select(static error => MetricSample.Of(error.Value, "code", error.Key))
        ),
    ];

    private static IEnumerable<MetricSample> ByFamily(MetricSnapshot look, long[] counts, double unit = 1)
    {
        var sums = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (Command command in WithSubcommands(look.Sources))
            sums[NameOf(command)] = sums.GetValueOrDefault(NameOf(command)) + counts[command.Id];
        return sums.Select(family => MetricSample.Of(family.Value * unit, Family, family.Key));
    }

    private static IEnumerable<MetricSample> Durations(MetricSnapshot look)
    {
        foreach (
            IGrouping<string, Command>? family in WithSubcommands(look.Sources)
                .GroupBy(NameOf)
                .OrderBy(static family => family.Key, StringComparer.Ordinal)
        )
        {
            var all = new LatencyHistogram();
            long microseconds = 0;
            foreach (Command command in family)
            {
                if (look.Totals.Latencies[command.Id] is { } latencies)
                    all.Add(latencies);
                microseconds += look.Totals.Microseconds[command.Id];
            }

            long[] calls = all.CallsUpTo(BoundsNs);
            for (int i = 0; i < BoundsNs.Length; i++)
                yield return Bucket(family.Key, (BoundsNs[i] / 1e9).ToString("0.#########", CultureInfo.InvariantCulture), calls[i]);
            yield return Bucket(family.Key, "+Inf", all.Calls);
            yield return MetricSample.Of(microseconds * 1e-6, Family, family.Key) with
            {
                Part = "sum",
            };
            yield return MetricSample.Of(all.Calls, Family, family.Key) with
            {
                Part = "count",
            };
        }
    }

    private static MetricSample Bucket(string family, string bound, long calls) =>
        new(calls, KeyValuePair.Create(Family, family), KeyValuePair.Create("le", bound)) { Part = "bucket" };

    private static IEnumerable<Command> WithSubcommands(MetricSources sources) =>
        sources.Commands.Commands.SelectMany(static command => (IEnumerable<Command>)[command, .. command.Subcommands]);

    private static string NameOf(Command command) => command.Descriptor.Group.ToString().ToLowerInvariant();
}
