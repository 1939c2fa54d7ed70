// INFO cpu. Any thread.
using System.Globalization;
using Garnet.Engine.Counters;
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>Processor time of the process, in seconds.</summary>
internal sealed class ProcessorSection(ServerStatistics statistics) : InfoSection("cpu", "CPU", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        if (!ProcessorUsage.TryGet(out Environment.ProcessCpuUsage usage))
            return;
        text.Field("used_cpu_sys", Seconds(usage.PrivilegedTime));
        text.Field("used_cpu_user", Seconds(usage.UserTime));
        // There are no children: saving needs no separate process.
        text.Field("used_cpu_sys_children", Seconds(TimeSpan.Zero));
        text.Field("used_cpu_user_children", Seconds(TimeSpan.Zero));
        // No thread is the main one: this is the time of all of them, since the start or the last CONFIG RESETSTAT.
        text.Field("used_active_time_main_thread", Seconds(usage.TotalTime - statistics.Baseline.ProcessorTime));
    }

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("F6", CultureInfo.InvariantCulture);
}
