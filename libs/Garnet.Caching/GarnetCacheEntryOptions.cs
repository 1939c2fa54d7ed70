// How an entry is cached. Set before use, then only read.
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching;

/// <summary>
/// What <see cref="HybridCacheEntryOptions"/> says, and more. What is null is taken from
/// <see cref="GarnetHybridCacheOptions.DefaultEntryOptions"/>.
/// </summary>
public sealed class GarnetCacheEntryOptions
{
    /// <summary>How long an entry lives in all; with <see cref="SlidingExpiration"/> alone there is no such limit.</summary>
    public TimeSpan? Expiration { get; set; }

    /// <summary>How long an instance keeps it in its memory, at most as long as it lives in the server.</summary>
    public TimeSpan? LocalCacheExpiration { get; set; }

    /// <summary>How long an entry lives after its last use, on any instance.</summary>
    public TimeSpan? SlidingExpiration { get; set; }

    /// <summary>
    /// For how long after its expiry an entry is served to those who ask while another caller or instance loads it anew, instead of letting
    /// them wait.
    /// </summary>
    public TimeSpan? StaleWhileLoading { get; set; }

    /// <summary>What not to do.</summary>
    public HybridCacheEntryFlags? Flags { get; set; }
}
