// LATENCY DOCTOR
using System.Globalization;
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Configuration;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;

namespace Garnet.Server.Commands.Latency;

/// <summary>Says in words what the samples mean.</summary>
internal static class LatencyDoctorCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DOCTOR",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous | AclCategories.Slow,
        Since = "2.8.13",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(Report(context.Server, context.NowMs / 1000)));

    private static string Report(RespServer server, long nowSeconds)
    {
        GarnetOptions options = server.Configuration.Current;
        (string Event, LatencySeries Series)[] all = server.CommandLogs.Latency.All;
        if (all.Length == 0 && options.LatencyMonitorThresholdMs == 0)
            return "Latencies are not watched. CONFIG SET latency-monitor-threshold <milliseconds> has longer ones remembered.\n";
        if (all.Length == 0)
            return $"Nothing took {options.LatencyMonitorThresholdMs} ms or longer.\n";
        StringBuilder text = new("These took longer than latency-monitor-threshold:\n\n");
        for (int i = 0; i < all.Length; i++)
            Describe(text, i + 1, all[i].Event, all[i].Series, nowSeconds);
        text.Append('\n');
        if (server.CommandLogs.Latency.Find(LatencyMonitor.Command) is not null)
            text.Append(CommandAdvice(options));
        if (server.CommandLogs.Latency.Find(LatencyMonitor.FastCommand) is not null)
        {
            text.Append(
                "* Fast commands were slow: the process had to wait for the processor. Look for other load on this machine, or for memory being swapped.\n"
            );
        }

        return text.ToString();
    }

    private static void Describe(StringBuilder text, int number, string name, LatencySeries series, long nowSeconds)
    {
        LatencySample[] samples = series.Samples;
        double mean = samples.Average(sample => sample.Milliseconds);
        double deviation = samples.Average(sample => Math.Abs(sample.Milliseconds - mean));
        double period = Math.Max(1, nowSeconds - samples[0].UnixSeconds) / (double)samples.Length;
        text.Append(
            CultureInfo.InvariantCulture,
            $"{number}. {name}: {samples.Length} latency spikes (average {mean:F0}ms, mean deviation {deviation:F0}ms, period {period:F2} sec). Worst all time event {series.WorstMs}ms.\n"
        );
    }

    private static string CommandAdvice(GarnetOptions options)
    {
        const string See =
            "* COMMANDLOG GET 10 slow names commands that took long; those that visit many keys or large values are the usual ones.\n";
        bool isLogged =
            options.SlowerThanMicroseconds >= 0
            && options.SlowLogMaxLength > 0
            && options.SlowerThanMicroseconds / 1000 <= options.LatencyMonitorThresholdMs;
        return isLogged
            ? See
            : string.Create(
                CultureInfo.InvariantCulture,
                $"* The log of slow commands misses them: CONFIG SET commandlog-execution-slower-than {options.LatencyMonitorThresholdMs * 1000}\n{See}"
            );
    }
}
