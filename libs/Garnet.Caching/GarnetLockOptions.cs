// The settings of locks. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where locks are kept, and for how long without a sign of life.</summary>
public sealed class GarnetLockOptions : GarnetCacheOptions
{
    /// <summary>
    /// For how long a lock whose owner has died stays locked; living owners renew it three times as often. Owners have less than that to
    /// notice that the server is gone.
    /// </summary>
    public TimeSpan Lease { get; set; } = TimeSpan.FromSeconds(10);

    /// <inheritdoc/>
    internal override IEnumerable<string> Problems()
    {
        foreach (string problem in base.Problems())
            yield return problem;
        if (Lease < TimeSpan.FromMilliseconds(20) || Lease > TimeSpan.FromHours(1))
            yield return $"{nameof(Lease)} is {Lease}; it must be from 20 ms to 1 hour.";
    }
}
