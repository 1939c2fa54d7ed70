// Numbers as text. Pure functions.
using System.Globalization;

namespace Garnet.Bench.Results;

/// <summary>The same in every language of the system.</summary>
internal static class FigureText
{
    /// <summary>A whole number with separators of thousands.</summary>
    public static string Whole(double number) => number.ToString("#,0", CultureInfo.InvariantCulture);

    /// <summary>Milliseconds, to a microsecond.</summary>
    public static string Milliseconds(double number) => number.ToString("0.000", CultureInfo.InvariantCulture);

    /// <summary>Microseconds, to a hundredth.</summary>
    public static string Microseconds(double number) => number.ToString("0.00", CultureInfo.InvariantCulture);

    /// <summary>A ratio.</summary>
    public static string Ratio(double number) => double.IsFinite(number) ? number.ToString("0.000", CultureInfo.InvariantCulture) : "-";

    /// <summary>The name of a percentile: p50, p99.9.</summary>
    public static string Percentile(double number) => "p" + number.ToString("0.#####", CultureInfo.InvariantCulture);
}
