// A strict parser of Prometheus's text format, written from its specification. One thread.
using System.Globalization;
using System.Text.RegularExpressions;

namespace Garnet.EndToEnd.Tests.Metrics;

/// <summary>Throws on anything that a scraper or promtool would reject.</summary>
internal sealed partial class PrometheusPage
{
    private readonly Dictionary<string, string> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<string, double> _values = new(StringComparer.Ordinal);
    private string _current = "";

    private PrometheusPage() { }

    /// <summary>Type of each metric.</summary>
    public IReadOnlyDictionary<string, string> Types => _types;

    /// <summary>Value of each series, keyed by the text before it.</summary>
    public IReadOnlyDictionary<string, double> Values => _values;

    public double this[string series] => _values[series];

    public static PrometheusPage Parse(string text)
    {
        if (!text.EndsWith('\n'))
            throw new FormatException("The last line must end with a line feed.");
        var page = new PrometheusPage();
        var helped = new HashSet<string>(StringComparer.Ordinal);
        foreach (string line in text[..^1].Split('\n'))
        {
            if (HelpLine().Match(line) is { Success: true } help)
            {
                if (!helped.Add(help.Groups["name"].Value))
                    throw new FormatException($"Two helps: {line}");
            }
            else if (TypeLine().Match(line) is { Success: true } type)
            {
                page.Begin(type.Groups["name"].Value, type.Groups["type"].Value, helped, line);
            }
            else if (SampleLine().Match(line) is { Success: true } sample)
            {
                page.Add(sample, line);
            }
            else
            {
                throw new FormatException($"Not understood: {line}");
            }
        }

        page.CheckHistograms();
        return page;
    }

    private void Begin(string name, string type, HashSet<string> helped, string line)
    {
        if (!helped.Contains(name) || !_types.TryAdd(name, type))
            throw new FormatException($"A type without help, or a second one: {line}");
        if ((type == "counter") != name.EndsWith("_total", StringComparison.Ordinal))
            throw new FormatException($"Counters, and only they, end with _total: {line}");
        _current = name;
    }

    private void Add(Match sample, string line)
    {
        string name = sample.Groups["name"].Value;
        string[] allowed = _types[_current] == "histogram" ? [_current + "_bucket", _current + "_sum", _current + "_count"] : [_current];
        if (!allowed.Contains(name))
            throw new FormatException($"A sample away from its metric: {line}");
        if (
            _types[_current] == "histogram"
            && name.EndsWith("_bucket", StringComparison.Ordinal) != line.Contains("le=\"", StringComparison.Ordinal)
        )
        {
            throw new FormatException($"Buckets, and only they, have a bound: {line}");
        }

        double value = double.Parse(sample.Groups["value"].Value, NumberStyles.Float, CultureInfo.InvariantCulture);
        if (_types[_current] != "gauge" && !(value >= 0))
            throw new FormatException($"Less than nothing: {line}");
        if (!_values.TryAdd(line[..line.LastIndexOf(' ')], value))
            throw new FormatException($"Twice the same series: {line}");
    }

    private void CheckHistograms()
    {
        foreach (string name in _types.Where(static type => type.Value == "histogram").Select(static type => type.Key))
        {
            foreach (
                IGrouping<string, KeyValuePair<string, double>> family in _values
                    .Where(value => value.Key.StartsWith(name + "_bucket", StringComparison.Ordinal))
                    .GroupBy(static value => Bound().Replace(value.Key, ""))
            )
            {
                double[] counts = [.. family.Select(static value => value.Value)];
                double[] bounds = [.. family.Select(static value => BoundOf(value.Key))];
                string count = family.Key.Replace("_bucket", "_count", StringComparison.Ordinal);
                if (
                    !counts.SequenceEqual(counts.Order())
                    || !bounds.SequenceEqual(bounds.Order())
                    || !double.IsPositiveInfinity(bounds[^1])
                    || _values[count] != counts[^1]
                )
                {
                    throw new FormatException($"The buckets of {family.Key} do not add up.");
                }
            }
        }
    }

    private static double BoundOf(string series)
    {
        string bound = Bound().Match(series).Groups["bound"].Value;
        return bound == "+Inf" ? double.PositiveInfinity : double.Parse(bound, CultureInfo.InvariantCulture);
    }

    [GeneratedRegex("^# HELP (?<name>[a-zA-Z_:][a-zA-Z0-9_:]*) \\S.*$")]
    private static partial Regex HelpLine();

    [GeneratedRegex("^# TYPE (?<name>[a-zA-Z_:][a-zA-Z0-9_:]*) (?<type>counter|gauge|histogram)$")]
    private static partial Regex TypeLine();

    [GeneratedRegex(
        """^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-zA-Z_][a-zA-Z0-9_]*="([^"\\]|\\[\\n"])*"(,(?=[a-zA-Z_]))?)+\})? (?<value>[-+]?[0-9.]+([eE][-+]?[0-9]+)?|\+Inf|-Inf|NaN)$"""
    )]
    private static partial Regex SampleLine();

    [GeneratedRegex(",?le=\"(?<bound>[^\"]*)\"")]
    private static partial Regex Bound();
}
