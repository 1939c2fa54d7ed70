// What one thread that executes commands has done. Written by that thread without contention, summed by others.

namespace Garnet.Engine.Counters;

/// <summary>Counters of commands, keys and bytes; they are summed when they are shown.</summary>
internal sealed class ThreadCounters(int commandIds)
{
    /// <summary>Commands executed.</summary>
    public long CommandsProcessed;

    /// <summary>Number of times that requests were read and processed.</summary>
    public long Reads;

    /// <summary>The largest number of commands in a batch.</summary>
    public int MostCommands;

    /// <summary>Number of times that replies were written.</summary>
    public long Writes;

    /// <summary>Bytes of requests consumed.</summary>
    public long InputBytes;

    /// <summary>Bytes of replies.</summary>
    public long OutputBytes;

    /// <summary>Key lookups of read commands that found the key.</summary>
    public long KeyspaceHits;

    /// <summary>Key lookups of read commands that did not find the key.</summary>
    public long KeyspaceMisses;

    /// <summary>Packed values in RESTORE payloads that were validated.</summary>
    public long CheckedPayloads;

    /// <summary>Calls per command id.</summary>
    public long[] Calls { get; } = new long[commandIds];

    /// <summary>Stopwatch ticks spent per command id.</summary>
    public long[] Ticks { get; } = new long[commandIds];

    /// <summary>Latency histogram per command id; null for commands that were not called.</summary>
    public LatencyHistogram?[] Latencies { get; } = new LatencyHistogram?[commandIds];

    /// <summary>Calls rejected before execution, per command id.</summary>
    public long[] Rejected { get; } = new long[commandIds];

    /// <summary>Calls that replied with an error, per command id.</summary>
    public long[] Failed { get; } = new long[commandIds];

    /// <summary>Error replies per error code.</summary>
    public ErrorTally Errors { get; } = new();

    /// <summary>Resets the counters of one command.</summary>
    public void Reset(int command)
    {
        Calls[command] = Ticks[command] = Rejected[command] = Failed[command] = 0;
        Latencies[command]?.Clear();
    }

    /// <summary>Resets the counters (CONFIG RESETSTAT). A race with a running batch loses at most that batch's counts.</summary>
    public void Reset()
    {
        MostCommands = 0;
        Array.Clear(Calls);
        Array.Clear(Ticks);
        foreach (LatencyHistogram? histogram in Latencies)
            histogram?.Clear();
        Array.Clear(Rejected);
        Array.Clear(Failed);
        CommandsProcessed = Reads = Writes = InputBytes = OutputBytes = KeyspaceHits = KeyspaceMisses = CheckedPayloads = 0;
        Errors.Clear();
    }
}
