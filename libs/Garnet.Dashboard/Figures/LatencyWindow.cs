// Latencies between two looks at LATENCY HISTOGRAM. One thread.
using System.Numerics;
using Garnet.Client;

namespace Garnet.Dashboard.Figures;

/// <summary>
/// The server counts calls by the power of two above their duration, from its start on. The difference of two looks is what happened
/// between them; what dashboards have asked is left out. A percentile is the upper bound of its bucket, so at most twice the true value.
/// </summary>
internal sealed class LatencyWindow
{
    private const int Buckets = 40;

    private readonly Dictionary<string, Counts> _commands = new(StringComparer.Ordinal);
    private readonly long[][] _families = [.. FigureList.Families.Select(static _ => new long[Buckets])];
    private readonly long[] _calls = new long[FigureList.Families.Length];
    private readonly long[] _all = new long[Buckets];
    private readonly long[] _since = new long[Buckets];

    /// <summary>Commands that were seen and whose family is not known.</summary>
    public IEnumerable<string> Unknown => _commands.Where(static each => each.Value.Family < 0).Select(static each => each.Key);

    /// <summary>Says which family a command belongs to.</summary>
    public void SetFamily(string command, int family) => _commands[command].Family = family;

    /// <summary>Takes a reply of LATENCY HISTOGRAM; what has happened since the last one goes to the families.</summary>
    /// <param name="reply">The reply.</param>
    /// <param name="own">What dashboards have asked until then.</param>
    public void Take(RespValue reply, OwnCalls own)
    {
        Array.ForEach(_families, static buckets => Array.Clear(buckets));
        Array.Clear(_calls);
        Array.Clear(_all);
        for (int i = 0; i + 1 < reply.Children.Count; i += 2)
        {
            string name = reply[i].AsString() ?? "";
            if (!_commands.TryGetValue(name, out Counts? counts))
                _commands.Add(name, counts = new Counts());
            Take(counts, reply[i + 1], own.Of(name));
        }
    }

    /// <summary>Writes calls a second and percentiles into a row.</summary>
    /// <param name="row">A row of the history.</param>
    /// <param name="seconds">The time between the looks.</param>
    public void Write(Span<float> row, double seconds)
    {
        row[FigureList.AllLatency] = Percentile(_all, 0.99);
        for (int family = 0; family < _families.Length; family++)
        {
            row[FigureList.FirstCalls + family] = (float)(_calls[family] / seconds);
            Span<float> latencies = row[(FigureList.FirstLatency + (family * FigureList.LatenciesPerFamily))..];
            latencies[0] = Percentile(_families[family], 0.5);
            latencies[1] = Percentile(_families[family], 0.99);
            latencies[2] = Percentile(_families[family], 0.999);
        }
    }

    private void Take(Counts counts, RespValue command, long own)
    {
        Array.Clear(_since);
        for (int i = 0; i + 1 < command.Children.Count; i += 2)
        {
            if (command[i].AsString() == "histogram_usec")
                TakeSince(counts, command[i + 1]);
        }

        long calls = _since.Sum();
        long others = calls - Math.Clamp(own - counts.Own, 0, calls);
        counts.Own = own;
        // What happened before the first look belongs to no second.
        if (counts.Family >= 0 && others > 0)
            Add(counts.Family, calls, others);
    }

    private void TakeSince(Counts counts, RespValue buckets)
    {
        long before = 0;
        for (int i = 0; i + 1 < buckets.Children.Count; i += 2)
        {
            long bound = Math.Max(1, buckets[i].AsInt64());
            long upTo = buckets[i + 1].AsInt64();
            int bucket = Math.Min(BitOperations.Log2((ulong)bound), Buckets - 1);
            long now = upTo - before;
            before = upTo;
            // CONFIG RESETSTAT begins anew.
            _since[bucket] = now < counts.Buckets[bucket] ? now : now - counts.Buckets[bucket];
            counts.Buckets[bucket] = now;
        }
    }

    // Nobody knows how long the dashboards' own calls took: each bucket loses the same share.
    private void Add(int family, long calls, long others)
    {
        (long upTo, long taken) = (0, 0);
        for (int bucket = 0; bucket < Buckets; bucket++)
        {
            upTo += _since[bucket];
            long some = (long)((Int128)upTo * others / calls) - taken;
            taken += some;
            _families[family][bucket] += some;
            _all[bucket] += some;
        }

        _calls[family] += others;
    }

    private static float Percentile(long[] buckets, double share)
    {
        long rank = (long)Math.Ceiling(buckets.Sum() * share);
        if (rank == 0)
            return float.NaN;
        for (int i = 0; i < buckets.Length; i++)
        {
            rank -= buckets[i];
            if (rank <= 0)
                return 1L << i;
        }

        return float.NaN;
    }

    private sealed class Counts
    {
        public long[] Buckets { get; } = new long[LatencyWindow.Buckets];

        public int Family { get; set; } = -1;

        public long Own { get; set; }
    }
}
