// Few keys often, many keys rarely. One thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>
/// The k-th number of the range with a probability proportional to 1/k^s. By rejection-inversion (Hörmann and Derflinger, 1996): constant
/// time and no tables, whatever the range.
/// </summary>
internal sealed class ZipfKeys : KeySequence
{
    private readonly SeededRandom _random;
    private readonly long _minimum;
    private readonly long _count;
    private readonly double _exponent;
    private readonly double _integralOfFirst;
    private readonly double _integralOfLast;
    private readonly double _alwaysAccepted;

    /// <summary>Prepares the constants of a range and an exponent.</summary>
    public ZipfKeys(KeyOptions keys, SeededRandom random)
    {
        _random = random;
        _minimum = keys.Minimum;
        _count = keys.Count;
        _exponent = keys.ZipfExponent;
        _integralOfFirst = Integral(1.5) - 1;
        _integralOfLast = Integral(_count + 0.5);
        _alwaysAccepted = 2 - InverseIntegral(Integral(2.5) - Density(2));
    }

    /// <inheritdoc/>
    public override long Next()
    {
        while (true)
        {
            double u = _integralOfLast + _random.NextDouble() * (_integralOfFirst - _integralOfLast);
            double x = InverseIntegral(u);
            long rank = Math.Clamp((long)(x + 0.5), 1, _count);
            if (rank - x <= _alwaysAccepted || u >= Integral(rank + 0.5) - Density(rank))
                return _minimum + rank - 1;
        }
    }

    private double Density(double x) => Math.Exp(-_exponent * Math.Log(x));

    // The integral of the density, (x^(1-s) - 1) / (1-s), which is log(x) for s = 1.
    private double Integral(double x)
    {
        double log = Math.Log(x);
        return ExponentialRatio((1 - _exponent) * log) * log;
    }

    private double InverseIntegral(double y)
    {
        double t = Math.Max(y * (1 - _exponent), -1);
        return Math.Exp(LogarithmRatio(t) * y);
    }

    // (e^x - 1) / x and log(1 + x) / x, by their series near 0, where the quotients lose their digits.
    private static double ExponentialRatio(double x) => Math.Abs(x) > 1e-8 ? (Math.Exp(x) - 1) / x : 1 + x / 2 * (1 + x / 3);

    private static double LogarithmRatio(double x) => Math.Abs(x) > 1e-8 ? Math.Log(1 + x) / x : 1 - x * (0.5 - x / 3);
}
