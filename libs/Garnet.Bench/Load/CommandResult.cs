// What was measured of one command. Filled by one thread, then merged.
using HdrHistogram;

namespace Garnet.Bench.Load;

/// <summary>Latencies in nanoseconds, with three significant digits, and what was remarkable about replies.</summary>
internal sealed class CommandResult(string name)
{
    private const long MaxLatencyNs = 3600L * 1_000_000_000;
    private const int SignificantDigits = 3;

    /// <summary>The command's name.</summary>
    public string Name { get; } = name;

    /// <summary>All latencies.</summary>
    public LongHistogram Latencies { get; } = new(MaxLatencyNs, SignificantDigits);

    /// <summary>Replies that were errors.</summary>
    public long Errors { get; private set; }

    /// <summary>Replies that were null: keys that were not there.</summary>
    public long Nulls { get; private set; }

    /// <summary>Replies that were not the value of their key.</summary>
    public long WrongValues { get; private set; }

    /// <summary>The text of the first error, or null.</summary>
    public string? FirstError { get; private set; }

    /// <summary>Counts a reply.</summary>
    public void Record(in Reply reply, long latencyNs, ReplyReader reader)
    {
        Latencies.RecordValue(Math.Clamp(latencyNs, 1, MaxLatencyNs));
        if (reply.IsError)
        {
            Errors++;
            FirstError ??= reader.ErrorText;
        }
        else if (reply.IsWrong)
        {
            WrongValues++;
        }
        else if (reply.IsNull)
        {
            Nulls++;
        }
    }

    /// <summary>Adds what another thread measured.</summary>
    public void Add(CommandResult other)
    {
        Latencies.Add(other.Latencies);
        Errors += other.Errors;
        Nulls += other.Nulls;
        WrongValues += other.WrongValues;
        FirstError ??= other.FirstError;
    }
}
