// What a loader may decide about the entry that it loads. One caller: the loader.
namespace Garnet.Caching;

/// <summary>The expiry of an entry, as the options say; a loader that knows better sets it.</summary>
public sealed class GarnetCacheEntryContext
{
    internal GarnetCacheEntryContext(string key, TimeSpan? expiration, TimeSpan? local, TimeSpan? sliding, TimeSpan? stale) =>
        (Key, Expiration, LocalCacheExpiration, SlidingExpiration, StaleWhileLoading) = (key, expiration, local, sliding, stale);

    /// <summary>The entry's key.</summary>
    public string Key { get; }

    /// <inheritdoc cref="GarnetCacheEntryOptions.Expiration"/>
    /// <remarks>Zero: the value is returned and not cached.</remarks>
    public TimeSpan? Expiration { get; set; }

    /// <inheritdoc cref="GarnetCacheEntryOptions.LocalCacheExpiration"/>
    public TimeSpan? LocalCacheExpiration { get; set; }

    /// <inheritdoc cref="GarnetCacheEntryOptions.SlidingExpiration"/>
    public TimeSpan? SlidingExpiration { get; set; }

    /// <inheritdoc cref="GarnetCacheEntryOptions.StaleWhileLoading"/>
    public TimeSpan? StaleWhileLoading { get; set; }
}
