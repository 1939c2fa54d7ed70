// One value of a metric. Immutable.
namespace Garnet.Server.Statistics.Metrics;

/// <summary>A value, distinguished from others of the same metric by its labels.</summary>
/// <param name="Value">The value.</param>
/// <param name="Labels">Names and values, the same names for all values of a metric.</param>
internal readonly record struct MetricSample(double Value, params KeyValuePair<string, string>[] Labels)
{
    /// <summary>For a histogram, the kind of value: <c>bucket</c> (with a label <c>le</c>), <c>sum</c> or <c>count</c>.</summary>
    public string Part { get; init; } = "";

    /// <summary>A value with one label.</summary>
    public static MetricSample Of(double value, string label, string labelValue) => new(value, KeyValuePair.Create(label, labelValue));
}
