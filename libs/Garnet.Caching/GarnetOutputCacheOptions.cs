// The settings of the output cache. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where <see cref="GarnetOutputCacheStore"/> keeps its responses, and how evictions wait.</summary>
public sealed class GarnetOutputCacheOptions : GarnetCacheOptions
{
    /// <inheritdoc cref="GarnetHybridCacheOptions.LocalLease"/>
    public TimeSpan LocalLease { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <inheritdoc/>
    internal override IEnumerable<string> Problems()
    {
        foreach (string problem in base.Problems())
            yield return problem;
        if (LocalLease < TimeSpan.FromMilliseconds(20) || LocalLease > TimeSpan.FromMinutes(1))
            yield return $"{nameof(LocalLease)} is {LocalLease}; it must be from 20 ms to 1 minute.";
    }
}
