// Metrics in Prometheus's text format. One use, one thread.
using System.Globalization;
using System.Text;
using Garnet.Server.Statistics.Metrics;

namespace Garnet.Hosting.Metrics;

/// <summary>
/// Format 0.0.4: for each metric HELP and TYPE, then its samples. Names have underscores for dots, the unit in full, and <c>_total</c> for
/// counters.
/// </summary>
internal sealed class PrometheusText
{
    /// <summary>The content type of a page.</summary>
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private readonly StringBuilder _text = new();

    /// <summary>The page.</summary>
    public static string Write(MetricReader metrics)
    {
        var page = new PrometheusText();
        foreach ((Metric metric, MetricSample[] samples) in metrics.ReadAll())
            page.Add(metric, samples);
        return page._text.ToString();
    }

    /// <summary>The name of a metric here.</summary>
    public static string NameOf(Metric metric)
    {
        string name = metric.Name.Replace('.', '_');
        name += metric.Unit switch
        {
            "s" => "_seconds",
            "By" => "_bytes",
            _ => "",
        };
        return metric.Kind == MetricKind.Counter ? name + "_total" : name;
    }

    private void Add(Metric metric, MetricSample[] samples)
    {
        string name = NameOf(metric);
        string kind = metric.Kind switch
        {
            MetricKind.Counter => "counter",
            MetricKind.Gauge => "gauge",
            _ => "histogram",
        };
        _text.Append("# HELP ").Append(name).Append(' ').Append(metric.Help.Replace("\\", "\\\\", StringComparison.Ordinal)).Append('\n');
        _text.Append("# TYPE ").Append(name).Append(' ').Append(kind).Append('\n');
        foreach (MetricSample sample in samples)
            Add(name, sample);
    }

    private void Add(string name, in MetricSample sample)
    {
        _text.Append(name);
        if (sample.Part.Length > 0)
            _text.Append('_').Append(sample.Part);
        for (int i = 0; i < sample.Labels.Length; i++)
        {
            (string label, string value) = sample.Labels[i];
            _text.Append(i == 0 ? '{' : ',').Append(label).Append("=\"").Append(Escape(value)).Append('"');
        }

        if (sample.Labels.Length > 0)
            _text.Append('}');
        _text.Append(' ').Append(sample.Value.ToString(CultureInfo.InvariantCulture)).Append('\n');
    }

    private static string Escape(string value) =>
        value
            .Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal);
}
