// The settings of limits. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where limits are counted, and what happens without a server.</summary>
public sealed class GarnetLimitOptions : GarnetCacheOptions
{
    /// <summary>
    /// Whether requests are granted while the server cannot be reached; otherwise <c>AcquireAsync</c> throws a
    /// <see cref="Garnet.Client.RespConnectionException"/>.
    /// </summary>
    public bool AllowWithoutServer { get; set; }

    /// <summary>For how long a concurrency limit counts the permits of an instance that has died.</summary>
    public TimeSpan Lease { get; set; } = TimeSpan.FromSeconds(30);

    /// <inheritdoc/>
    internal override IEnumerable<string> Problems()
    {
        foreach (string problem in base.Problems())
            yield return problem;
        if (Lease < TimeSpan.FromMilliseconds(20) || Lease > TimeSpan.FromHours(1))
            yield return $"{nameof(Lease)} is {Lease}; it must be from 20 ms to 1 hour.";
    }
}
