// INFO latencystats. Any thread.
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;

namespace Garnet.Server.Statistics;

/// <summary>Percentiles of each called command's latency, in microseconds.</summary>
internal sealed class LatencyStatsSection(ServerConfiguration configuration, CommandTable commands)
    : InfoSection("latencystats", "Latencystats", isDefault: false)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        GarnetOptions options = configuration.Current;
        if (!options.LatencyTracking)
            return;
        foreach (Command command in commands.Commands)
            Write(text, command, totals, options.LatencyTrackingInfoPercentiles);
    }

    private static void Write(InfoText text, Command command, CounterTotals totals, IReadOnlyList<double> percentiles)
    {
        if (totals.Latencies[command.Id] is { Calls: > 0 } latencies)
        {
            text.Field(
                "latency_percentiles_usec_" + command.FullName,
                string.Join(
                    ',',
                    percentiles.Select(percent =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"p{PercentilesOption.Text(percent)}={latencies.AtPercentile(percent) / 1000.0:F3}"
                        )
                    )
                )
            );
        }

        foreach (Command subcommand in command.Subcommands)
            Write(text, subcommand, totals, percentiles);
    }
}
