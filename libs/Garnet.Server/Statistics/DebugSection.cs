// INFO debug. Any thread.
using System.Diagnostics;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>What Valkey shows of its event loop; a cycle is a batch of requests here.</summary>
internal sealed class DebugSection(ServerStatistics statistics, ThreadScratchPool threads) : InfoSection("debug", "Debug", isDefault: false)
{
    /// <inheritdoc/>
    public override bool IsApart => true;

    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        // The log is written by a thread of its own.
        text.Field("eventloop_duration_aof_sum", 0);
        text.Field("eventloop_duration_cron_sum", Microseconds(statistics.PeriodicTicks));
        text.Field("eventloop_duration_max", Microseconds(threads.All.Max(static batch => (long?)batch.Timer.LongestTicks) ?? 0));
        text.Field("eventloop_cmd_per_cycle_max", threads.All.Max(static batch => (int?)batch.Counters.MostCommands) ?? 0);
        // The thread that reads a request executes it, and writes the reply.
        text.Field("io_threaded_reads_pending", 0);
        text.Field("io_threaded_writes_pending", 0);
    }

    private static long Microseconds(long ticks) => (long)(ticks * (1_000_000.0 / Stopwatch.Frequency));
}
