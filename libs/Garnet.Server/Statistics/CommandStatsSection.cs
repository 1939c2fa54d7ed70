// INFO commandstats. Any thread.
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>Calls, time and failures of each command that was called.</summary>
internal sealed class CommandStatsSection(CommandTable commands) : InfoSection("commandstats", "Commandstats", isDefault: false)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        foreach (Command command in commands.Commands)
            Write(text, command, totals);
    }

    private static void Write(InfoText text, Command command, CounterTotals totals)
    {
        int id = command.Id;
        if (totals.Calls[id] > 0 || totals.Failed[id] > 0 || totals.Rejected[id] > 0)
        {
            double perCall = totals.Calls[id] == 0 ? 0 : (double)totals.Microseconds[id] / totals.Calls[id];
            text.Field(
                "cmdstat_" + command.FullName,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"calls={totals.Calls[id]},usec={totals.Microseconds[id]},usec_per_call={perCall:F2},rejected_calls={totals.Rejected[id]},failed_calls={totals.Failed[id]}"
                )
            );
        }

        foreach (Command subcommand in command.Subcommands)
            Write(text, subcommand, totals);
    }
}
