// A clock that is wrong, and jumps. Thread-safe.
namespace Garnet.Caching.Tests.Hybrid;

/// <summary>Its time of day is anything; its timestamps run a little too fast or too slow, as those of machines do.</summary>
internal sealed class SkewedClock(int seed) : TimeProvider
{
    private readonly double _rate = 0.98 + (0.04 * new Random(seed).NextDouble());
    private int _reads;

    /// <inheritdoc/>
    public override long TimestampFrequency => System.TimestampFrequency;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() =>
        System.GetUtcNow().AddSeconds(new Random(seed + Interlocked.Increment(ref _reads)).Next(-100_000, 100_000));

    /// <inheritdoc/>
    public override long GetTimestamp() => (long)(System.GetTimestamp() * _rate);
}
