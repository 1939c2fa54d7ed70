// The sum of all threads' counters at about one moment. Created by one command, then immutable.
using System.Diagnostics;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;

namespace Garnet.Server.Statistics;

/// <summary>Sums the per-thread counters.</summary>
internal sealed class CounterTotals
{
    /// <summary>Reads the counters of a server's threads.</summary>
    /// <param name="commands">The commands that are counted.</param>
    /// <param name="threads">The counters of threads.</param>
    public CounterTotals(CommandTable commands, ThreadScratchPool threads)
    {
        Calls = new long[commands.IdLimit];
        Microseconds = new long[commands.IdLimit];
        Rejected = new long[commands.IdLimit];
        Failed = new long[commands.IdLimit];
        Latencies = new LatencyHistogram?[commands.IdLimit];
        foreach (ThreadScratch thread in threads.All)
        {
            for (int id = 0; id < Calls.Length; id++)
            {
                Calls[id] += thread.Counters.Calls[id];
                Microseconds[id] += thread.Counters.Ticks[id];
                Rejected[id] += thread.Counters.Rejected[id];
                Failed[id] += thread.Counters.Failed[id];
                if (thread.Counters.Latencies[id] is { } latencies)
                    (Latencies[id] ??= new LatencyHistogram()).Add(latencies);
            }

            CommandsProcessed += thread.Counters.CommandsProcessed;
            Reads += thread.Counters.Reads;
            Writes += thread.Counters.Writes;
            InputBytes += thread.Counters.InputBytes;
            OutputBytes += thread.Counters.OutputBytes;
            KeyspaceHits += thread.Counters.KeyspaceHits;
            KeyspaceMisses += thread.Counters.KeyspaceMisses;
            CheckedPayloads += thread.Counters.CheckedPayloads;
            thread.Counters.Errors.AddTo(Errors);
        }

        for (int id = 0; id < Calls.Length; id++)
            Microseconds[id] = (long)(Microseconds[id] * (1_000_000.0 / Stopwatch.Frequency));
    }

    /// <summary>Calls per command id.</summary>
    public long[] Calls { get; }

    /// <summary>Microseconds spent per command id.</summary>
    public long[] Microseconds { get; }

    /// <summary>Calls rejected before execution, per command id.</summary>
    public long[] Rejected { get; }

    /// <summary>Calls that replied with an error, per command id.</summary>
    public long[] Failed { get; }

    /// <summary>Latency histogram per command id; null for commands that were not called.</summary>
    public LatencyHistogram?[] Latencies { get; }

    /// <summary>Commands executed.</summary>
    public long CommandsProcessed { get; }

    /// <summary>Number of times that requests were read and processed.</summary>
    public long Reads { get; }

    /// <summary>Number of times that replies were written.</summary>
    public long Writes { get; }

    /// <summary>Request bytes.</summary>
    public long InputBytes { get; }

    /// <summary>Reply bytes.</summary>
    public long OutputBytes { get; }

    /// <summary>Key lookups of read commands that found the key.</summary>
    public long KeyspaceHits { get; }

    /// <summary>Key lookups of read commands that did not find the key.</summary>
    public long KeyspaceMisses { get; }

    /// <summary>Packed values in RESTORE payloads that were validated.</summary>
    public long CheckedPayloads { get; }

    /// <summary>Error replies by code.</summary>
    public SortedDictionary<string, long> Errors { get; } = new(StringComparer.Ordinal);
}
