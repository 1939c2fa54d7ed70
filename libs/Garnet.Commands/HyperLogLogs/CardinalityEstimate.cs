// Estimates the cardinality of a sketch: Otmar Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (arXiv:1702.01284).
// Stateless.
namespace Garnet.Commands.HyperLogLogs;

/// <summary>
/// The improved raw estimator, in double precision and with a fixed order of operations, so that the results of different servers are
/// equal.
/// </summary>
internal static class CardinalityEstimate
{
    /// <summary>Number of possible register values.</summary>
    public const int HistogramLength = 64;

    private const int HashBits = 50;
    private const double AlphaInfinity = 0.721347520444481703680;
    private const double LargestInteger = 9.2233720368547758e18;

    /// <summary>Estimates the number of distinct elements in a sketch; false if it is corrupt.</summary>
    public static bool TryCount(ReadOnlySpan<byte> sketch, out long count)
    {
        Span<int> histogram = stackalloc int[HistogramLength];
        histogram.Clear();
        bool valid = true;
        if (SketchFormat.IsDense(sketch))
            DenseRegisters.AddTo(histogram, sketch[SketchFormat.HeaderBytes..]);
        else
            valid = SparseRuns.TryAddTo(histogram, sketch);
        count = valid ? FromHistogram(histogram) : 0;
        return valid;
    }

    /// <summary>Estimates the number of distinct elements from plain registers, one byte each.</summary>
    public static long FromPlain(ReadOnlySpan<byte> registers)
    {
        Span<int> histogram = stackalloc int[HistogramLength];
        histogram.Clear();
        foreach (byte register in registers)
            histogram[register & (HistogramLength - 1)]++;
        return FromHistogram(histogram);
    }

    private static long FromHistogram(ReadOnlySpan<int> histogram)
    {
        const double registers = SketchFormat.Registers;
        double z = registers * Tau((registers - histogram[HashBits + 1]) / registers);
        for (int i = HashBits; i >= 1; i--)
        {
            z += histogram[i];
            z *= 0.5;
        }

        z += registers * Sigma(histogram[0] / registers);
        double estimate = AlphaInfinity * registers * registers / z;

        // Only register values that no hash produces get here; the conversion is the processor's, as in Valkey.
        return estimate < LargestInteger ? (long)Math.Round(estimate, MidpointRounding.AwayFromZero) : long.MinValue;
    }

    private static double Sigma(double x)
    {
        if (x == 1.0)
            return double.PositiveInfinity;
        double previous;
        double y = 1;
        double z = x;
        do
        {
            x *= x;
            previous = z;
            z += x * y;
            y += y;
        } while (previous != z);
        return z;
    }

    private static double Tau(double x)
    {
        if (x is 0.0 or 1.0)
            return 0;
        double previous;
        double y = 1.0;
        double z = 1 - x;
        do
        {
            x = Math.Sqrt(x);
            previous = z;
            y *= 0.5;
            z -= (1 - x) * (1 - x) * y;
        } while (previous != z);
        return z / 3;
    }
}
