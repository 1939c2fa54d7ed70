// LATENCY DOCTOR
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Latency;

/// <summary>Explains the latency samples in words.</summary>
internal sealed class LatencyDoctorCommand(ServerConfiguration configuration, CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DOCTOR",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.13",
        Tips = ["nondeterministic_output", "request_policy:all_nodes", "response_policy:special"],
        MakeHandler = static parts => new LatencyDoctorCommand(parts.Get<ServerConfiguration>(), parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(Report(configuration.Current, logs.Latency, context.NowMs / 1000)));

    private static string Report(GarnetOptions options, LatencyMonitor latency, long nowSeconds)
    {
        (string Event, LatencySeries Series)[] all = latency.All;
        if (all.Length == 0 && options.LatencyMonitorThresholdMs == 0)
            return "Latency monitoring is disabled. Enable it with CONFIG SET latency-monitor-threshold <milliseconds>.\n";
        if (all.Length == 0)
            return $"No event took {options.LatencyMonitorThresholdMs} ms or longer.\n";
        StringBuilder text = new("Events that exceeded latency-monitor-threshold:\n\n");
        for (int i = 0; i < all.Length; i++)
            Describe(text, i + 1, all[i].Event, all[i].Series, nowSeconds);
        text.Append('\n');
        if (latency.Find(LatencyMonitor.Command) is not null)
            text.Append(CommandAdvice(options));
        if (latency.Find(LatencyMonitor.FastCommand) is not null)
        {
            text.Append(
                "* Fast commands were slow, so the process probably had to wait for the processor. Check for other load on this machine and for swapping.\n"
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
        const string See = "* COMMANDLOG GET 10 slow lists slow commands; typical ones visit many keys or large values.\n";
        bool isLogged =
            options.SlowerThanMicroseconds >= 0
            && options.SlowLogMaxLength > 0
            && options.SlowerThanMicroseconds / 1000 <= options.LatencyMonitorThresholdMs;
        return isLogged
            ? See
            : string.Create(
                CultureInfo.InvariantCulture,
                $"* The slow log does not record these commands; to change that: CONFIG SET commandlog-execution-slower-than {options.LatencyMonitorThresholdMs * 1000}\n{See}"
            );
    }
}
