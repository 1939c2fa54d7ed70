// The settings of the hybrid cache. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where <see cref="GarnetHybridCache"/> keeps its entries, for how long, and how instances wait for each other.</summary>
public sealed class GarnetHybridCacheOptions : GarnetCacheOptions
{
    /// <summary>What calls without options, or with options that leave something out, use.</summary>
    public GarnetCacheEntryOptions DefaultEntryOptions { get; set; } = new();

    /// <summary>Options by name, for <see cref="GarnetHybridCache.Policy"/>.</summary>
    public IDictionary<string, GarnetCacheEntryOptions> Policies { get; } =
        new Dictionary<string, GarnetCacheEntryOptions>(StringComparer.Ordinal);

    /// <summary>Maximum number of characters of a key; values under longer ones are not cached.</summary>
    public int MaximumKeyLength { get; set; } = 1024;

    /// <summary>Maximum bytes of a serialized value; larger ones are not cached.</summary>
    public long MaximumPayloadBytes { get; set; } = 1024 * 1024;

    /// <summary>Maximum bytes that an instance keeps in its memory: payloads, keys and a flat charge for each entry.</summary>
    public long MaximumLocalBytes { get; set; } = 64L * 1024 * 1024;

    /// <summary>
    /// How long a removal waits for an instance that does not answer. For as long after it has lost its server an instance may still serve
    /// from its memory. All instances that share a name must have the same value.
    /// </summary>
    public TimeSpan LocalLease { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a key stays reserved for a loader whose instance has died; living ones renew it.</summary>
    public TimeSpan LoaderLease { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How many replicas must have a removal before it returns, so that a failover does not lose it; 0 for none. With too few it throws a
    /// <see cref="TimeoutException"/> after <see cref="ReplicaTimeout"/>.
    /// </summary>
    public int ReplicasToWaitFor { get; set; }

    /// <summary>How long to wait for <see cref="ReplicasToWaitFor"/>.</summary>
    public TimeSpan ReplicaTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    internal override IEnumerable<string> Problems()
    {
        foreach (string problem in base.Problems())
            yield return problem;
        if (DefaultEntryOptions is null)
            yield return $"{nameof(DefaultEntryOptions)} must not be null.";
        if (MaximumKeyLength < 1)
            yield return $"{nameof(MaximumKeyLength)} is {MaximumKeyLength}; it must be 1 or more.";
        if (MaximumPayloadBytes < 1)
            yield return $"{nameof(MaximumPayloadBytes)} is {MaximumPayloadBytes}; it must be 1 or more.";
        if (MaximumLocalBytes < 0)
            yield return $"{nameof(MaximumLocalBytes)} is {MaximumLocalBytes}; it must be 0 or more.";
        if (LocalLease < TimeSpan.FromMilliseconds(20) || LocalLease > TimeSpan.FromMinutes(1))
            yield return $"{nameof(LocalLease)} is {LocalLease}; it must be from 20 ms to 1 minute.";
        if (LoaderLease < TimeSpan.FromMilliseconds(20) || LoaderLease > TimeSpan.FromHours(1))
            yield return $"{nameof(LoaderLease)} is {LoaderLease}; it must be from 20 ms to 1 hour.";
        if (ReplicasToWaitFor < 0)
            yield return $"{nameof(ReplicasToWaitFor)} is {ReplicasToWaitFor}; it must be 0 or more.";
        if (ReplicaTimeout <= TimeSpan.Zero)
            yield return $"{nameof(ReplicaTimeout)} is {ReplicaTimeout}; it must be more than zero.";
    }
}
