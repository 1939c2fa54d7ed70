// A list of percentages. Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is a list of percentages, such as <c>50 99 99.9</c>.</summary>
internal sealed class PercentilesOption(
    string name,
    Func<GarnetOptions, IReadOnlyList<double>> get,
    Action<GarnetOptions, IReadOnlyList<double>> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override string Allowed => "numbers from 0 to 100";

    /// <summary>A percentage without trailing zeros.</summary>
    public static string Text(double percentile) => percentile.ToString("0.######", CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        // A single empty word means an empty list, since a list with no word at all cannot be written.
        if (arguments is [""])
            arguments = [];
        double[] percentiles = new double[arguments.Count];
        for (int i = 0; i < percentiles.Length; i++)
        {
            if (
                !double.TryParse(arguments[i], NumberStyles.Float, CultureInfo.InvariantCulture, out percentiles[i])
                || double.IsNaN(percentiles[i])
            )
            {
                return "Invalid latency-tracking-info-percentiles parameters";
            }

            if (percentiles[i] is < 0 or > 100)
                return "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]";
        }

        set(options, percentiles);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => string.Join(' ', get(options).Select(Text));

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        string value = Format(options);
        yield return (value.Length == 0 ? $"{Name} \"\"" : $"{Name} {value}", value != Format(defaults));
    }
}
