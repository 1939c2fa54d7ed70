// Keys around a median. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>A normal distribution, cut off at the ends of the range. By the polar method of Marsaglia (1964).</summary>
internal sealed class GaussianKeys(KeyOptions keys, SeededRandom random) : KeySequence
{
    // A range that catches fewer than one in hundreds is so narrow for the deviation that the density on it is level: uniform is the limit.
    private const int MaxDraws = 256;

    private readonly long _minimum = keys.Minimum;
    private readonly long _maximum = keys.Maximum;
    private readonly double _median = keys.Median ?? (keys.Minimum + keys.Maximum) / 2.0;
    private readonly double _deviation = keys.StandardDeviation ?? keys.Count / 6.0;
    private double _spare = double.NaN;

    /// <inheritdoc/>
    public override long Next()
    {
        for (int i = 0; i < MaxDraws; i++)
        {
            double drawn = Math.Round(_median + NextStandard() * _deviation);
            if (drawn >= _minimum && drawn <= _maximum)
                return (long)drawn;
        }

        return _minimum + random.Next(_maximum - _minimum + 1);
    }

    private double NextStandard()
    {
        if (!double.IsNaN(_spare))
        {
            double spare = _spare;
            _spare = double.NaN;
            return spare;
        }

        double x,
            y,
            square;
        do
        {
            x = 2 * random.NextDouble() - 1;
            y = 2 * random.NextDouble() - 1;
            square = x * x + y * y;
        } while (square is >= 1 or 0);
        double scale = Math.Sqrt(-2 * Math.Log(square) / square);
        _spare = y * scale;
        return x * scale;
    }
}
