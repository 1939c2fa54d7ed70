// Counts what the dashboards themselves ask of their server. Any thread.
using System.Collections.Concurrent;
using System.Text;

namespace Garnet.Dashboard.Figures;

/// <summary>
/// The charts leave these calls out, or somebody who looks for large keys would see a peak that is their own. What users type into the
/// console is not among them.
/// </summary>
internal sealed class OwnCalls
{
    // Commands whose statistics are kept by subcommand, of those that the dashboard sends.
    private static readonly HashSet<string> Containers = ["acl", "client", "command", "config", "latency", "memory", "object", "slowlog"];

    private readonly ConcurrentDictionary<string, long> _calls = new(StringComparer.Ordinal);
    private long _all;
    private long _hits;

    /// <summary>How many there were.</summary>
    public long All => Volatile.Read(ref _all);

    /// <summary>How many of them counted as a key that was found.</summary>
    public long Hits => Volatile.Read(ref _hits);

    /// <summary>How many there were of a command, which is named as in LATENCY HISTOGRAM.</summary>
    public long Of(string command) => _calls.GetValueOrDefault(command);

    /// <summary>Notes a call.</summary>
    public void Count(ReadOnlyMemory<byte>[] command)
    {
        string name = Lower(command[0]);
        if (command.Length > 1 && Containers.Contains(name))
            name = $"{name}|{Lower(command[1])}";
        _calls.AddOrUpdate(name, 1, static (_, count) => count + 1);
        Interlocked.Increment(ref _all);
    }

    /// <summary>Notes that a call has found its key.</summary>
    public void CountHit() => Interlocked.Increment(ref _hits);

    private static string Lower(ReadOnlyMemory<byte> word) => Encoding.ASCII.GetString(word.Span).ToLowerInvariant();
}
