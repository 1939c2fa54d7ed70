// Round trips by their length. One thread.
using System.Globalization;
using System.Numerics;

namespace Garnet.Cli.Modes;

/// <summary>Counts times in microseconds, in buckets of 1/16 of their power of two: a percentile is at most 6 % too large.</summary>
internal sealed class LatencyHistogram
{
    private const int SubBits = 4;
    private const int Exponents = 64 - SubBits;

    private readonly long[] _counts = new long[(Exponents + 1) << SubBits];

    /// <summary>The number of times.</summary>
    public long Count { get; private set; }

    /// <summary>The shortest.</summary>
    public long Min { get; private set; }

    /// <summary>The longest.</summary>
    public long Max { get; private set; }

    /// <summary>The sum of all.</summary>
    public long Sum { get; private set; }

    /// <summary>Adds a time.</summary>
    public void Add(long microseconds)
    {
        Min = Count == 0 ? microseconds : Math.Min(Min, microseconds);
        Max = Math.Max(Max, microseconds);
        Sum += microseconds;
        Count++;
        _counts[Bucket(microseconds)]++;
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        Array.Clear(_counts);
        (Count, Min, Max, Sum) = (0, 0, 0, 0);
    }

    /// <summary>The time that this share of all times does not exceed.</summary>
    public long Percentile(double share)
    {
        long wanted = Math.Max(1, (long)Math.Ceiling(share * Count));
        for (int i = 0; i < _counts.Length; i++)
        {
            wanted -= _counts[i];
            if (wanted <= 0)
                return Math.Min(UpperBound(i), Max);
        }

        return Max;
    }

    /// <summary>The usual percentiles, for people.</summary>
    public string Summary =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"p50 {Milliseconds(0.5)}, p90 {Milliseconds(0.9)}, p99 {Milliseconds(0.99)}, p99.9 {Milliseconds(0.999)}, max {Max / 1000.0:F3} ms"
        );

    private string Milliseconds(double share) => (Percentile(share) / 1000.0).ToString("F3", CultureInfo.InvariantCulture);

    private static int Bucket(long value)
    {
        int exponent = Math.Max(0, BitOperations.Log2((ulong)Math.Max(value, 1)) - SubBits);
        return (exponent << SubBits) + (int)(value >> exponent);
    }

    // The inverse of Bucket: from exponent 1 on, the high bit of the index's part is always set.
    private static long UpperBound(int bucket)
    {
        int exponent = Math.Max(0, (bucket >> SubBits) - 1);
        long part = bucket - (exponent << SubBits);
        return ((part + 1) << exponent) - 1;
    }
}
