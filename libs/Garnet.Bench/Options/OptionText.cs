// Reads the values of options. Pure functions.
using System.Globalization;

namespace Garnet.Bench.Options;

/// <summary>Turns the text of a value into what it means, or throws with what it must be.</summary>
internal static class OptionText
{
    private const double MaxSeconds = 1_000_000;
    private const double MinDuration = 0.001;
    private const int PercentileDecimals = 5; // as many as their names have

    /// <summary>A whole number.</summary>
    public static long Integer(string text, long least, long most) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long value) && value >= least && value <= most
            ? value
            : throw new BenchException($"must be a whole number from {Text(least)} to {Text(most)}");

    /// <summary>A whole number of 32 bits.</summary>
    public static int Integer32(string text, int least, int most) => (int)Integer(text, least, most);

    /// <summary>A number greater than zero.</summary>
    public static double Positive(string text, double most) =>
        Number(text) is { } value && value > 0 && value <= most
            ? value
            : throw new BenchException(string.Create(CultureInfo.InvariantCulture, $"must be a number greater than 0, at most {most:0}"));

    /// <summary>Seconds of a measurement: a millisecond or more, or there would be nothing to measure.</summary>
    public static TimeSpan Duration(string text) =>
        Number(text) is { } value && value >= MinDuration && value <= MaxSeconds
            ? TimeSpan.FromSeconds(value)
            : throw new BenchException(
                string.Create(CultureInfo.InvariantCulture, $"must be a number of seconds from {MinDuration} to {MaxSeconds:0}")
            );

    /// <summary>Seconds, with or without a fraction.</summary>
    public static TimeSpan Seconds(string text, bool mayBeZero = false) =>
        Number(text) is { } value && value <= MaxSeconds && (value > 0 || (mayBeZero && value == 0))
            ? TimeSpan.FromSeconds(value)
            : throw new BenchException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"must be a number of seconds {(mayBeZero ? "from" : "greater than")} 0, at most {MaxSeconds:0}"
                )
            );

    /// <summary>Two numbers, such as <c>1:10</c>.</summary>
    public static (int First, int Second) Ratio(string text)
    {
        const int Most = 1_000_000;
        string[] parts = text.Split(':');
        if (
            parts.Length == 2
            && Whole(parts[0]) is { } first
            && Whole(parts[1]) is { } second
            && first >= 0
            && second >= 0
            && first <= Most
            && second <= Most
            && first + second > 0
        )
        {
            return ((int)first, (int)second);
        }

        throw new BenchException("must be two whole numbers such as 1:10, not both 0");
    }

    /// <summary>Two sizes, such as <c>10-1000</c>.</summary>
    public static (int Smallest, int Largest) Sizes(string text)
    {
        string[] parts = text.Split('-');
        if (parts.Length == 2 && Size(parts[0]) is { } smallest && Size(parts[1]) is { } largest && smallest <= largest)
            return (smallest, largest);
        throw new BenchException($"must be two sizes from 1 to {Text(MaxSize)} such as 10-1000, the smaller one first");
    }

    /// <summary>Sizes and weights, such as <c>32:3,1000:1</c>.</summary>
    public static IReadOnlyList<(int Size, int Weight)> Weights(string text)
    {
        const int MaxWeight = 1_000_000;
        var weights = new List<(int, int)>();
        foreach (string part in text.Split(','))
        {
            string[] pair = part.Split(':');
            if (pair.Length != 2 || Size(pair[0]) is not { } size || Whole(pair[1]) is not { } weight || weight is < 1 or > MaxWeight)
                throw new BenchException("must be sizes and weights such as 32:3,1000:1");
            weights.Add((size, (int)weight));
        }

        return weights;
    }

    /// <summary>A letter of <see cref="KeyPattern"/>.</summary>
    public static KeyPattern Pattern(string text) =>
        text.ToUpperInvariant() switch
        {
            "R" => KeyPattern.Uniform,
            "G" => KeyPattern.Gaussian,
            "Z" => KeyPattern.Zipf,
            "S" => KeyPattern.Sequential,
            "P" => KeyPattern.Parallel,
            _ => throw new BenchException("must be R (uniform), G (Gaussian), Z (Zipf), S (sequential) or P (parallel)"),
        };

    /// <summary>A pattern for writes and one for reads, such as <c>R:Z</c>, or one for both.</summary>
    public static (KeyPattern Writes, KeyPattern Reads) Patterns(string text)
    {
        string[] parts = text.Split(':');
        return parts.Length switch
        {
            1 => (Pattern(parts[0]), Pattern(parts[0])),
            2 => (Pattern(parts[0]), Pattern(parts[1])),
            _ => throw new BenchException("must be one pattern, or two such as R:Z"),
        };
    }

    /// <summary>Percentiles, such as <c>50,99,99.9</c>.</summary>
    public static IReadOnlyList<double> Percentiles(string text)
    {
        var percentiles = new List<double>();
        foreach (string part in text.Split(','))
        {
            if (Number(part) is not { } value || value < 0.00001 || value > 100)
                throw new BenchException("must be numbers greater than 0, at most 100, such as 50,99,99.9");
            percentiles.Add(Math.Round(value, PercentileDecimals));
        }

        // Each is a column, or a name in an object: once.
        return [.. percentiles.Distinct()];
    }

    /// <summary>Names, separated by commas.</summary>
    public static IReadOnlyList<string> Names(string text) =>
        text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) is { Length: > 0 } names
            ? names
            : throw new BenchException("must be names, separated by commas");

    /// <summary>The largest value a server takes: 512 MiB.</summary>
    public const int MaxSize = 512 * 1024 * 1024;

    private static int? Size(string text) => Whole(text) is { } size && size is >= 1 and <= MaxSize ? (int)size : null;

    private static long? Whole(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value) ? value : null;

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) && double.IsFinite(value)
            ? value
            : null;

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
