// The numbers in a reply of INFO. Immutable once read.
using System.Globalization;
using System.Text;

namespace Garnet.Dashboard.Figures;

/// <summary>
/// Fields by name; <c>saving</c>, <c>saves</c>, <c>processor</c>, <c>keys</c> and <c>diskErrors</c> are sums of others.
/// </summary>
internal sealed class InfoFields
{
    private readonly Dictionary<string, double> _numbers = new(256, StringComparer.Ordinal);

    private readonly double _ownCalls;
    private readonly double _ownHits;

    /// <summary>Reads a reply.</summary>
    /// <param name="reply">What INFO says.</param>
    /// <param name="own">What dashboards have asked until then.</param>
    public InfoFields(ReadOnlySpan<byte> reply, OwnCalls own)
    {
        (_ownCalls, _ownHits) = (own.All, own.Hits);
        double keys = 0;
        foreach (Range range in reply.Split((byte)'\n'))
        {
            ReadOnlySpan<byte> line = reply[range].TrimEnd((byte)'\r');
            int colon = line.IndexOf((byte)':');
            if (colon <= 0)
                continue;
            ReadOnlySpan<byte> value = line[(colon + 1)..];
            if (double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
                _numbers[Encoding.UTF8.GetString(line[..colon])] = number;
            else if (line.StartsWith("db"u8) && value.StartsWith("keys="u8))
                keys += LeadingNumber(value[5..]);
        }

        _numbers["keys"] = keys;
        _numbers["saving"] = Of("rdb_bgsave_in_progress") + Of("aof_rewrite_in_progress") > 0 ? 1 : 0;
        _numbers["saves"] = Of("rdb_saves") + Of("aof_rewrites");
        _numbers["processor"] = Of("used_cpu_sys") + Of("used_cpu_user");
        _numbers["diskErrors"] = Of("tier_read_errors") + Of("tier_write_errors");
    }

    /// <summary>A field's number; NaN when there is none.</summary>
    public double Of(string name) => _numbers.GetValueOrDefault(name, double.NaN);

    /// <summary>How much of a field is the dashboards' own doing.</summary>
    public double OwnOf(string name) =>
        name switch
        {
            "total_commands_processed" => _ownCalls,
            "keyspace_hits" => _ownHits,
            _ => 0,
        };

    private static double LeadingNumber(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return double.TryParse(end < 0 ? text : text[..end], CultureInfo.InvariantCulture, out double number) ? number : 0;
    }
}
