// The options of one call, resolved. A plain value.
using Garnet.Caching.Links;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>Milliseconds; null is without limit, and a sliding time of 0 is none.</summary>
internal readonly record struct EntrySettings(long? ExpirationMs, long? LocalMs, long SlidingMs, long StaleMs, HybridCacheEntryFlags Flags)
{
    // As Microsoft's implementation has it.
    private const long UsualMs = 5 * 60 * 1000;

    public bool ReadsLocal => (Flags & HybridCacheEntryFlags.DisableLocalCacheRead) == 0;

    public bool WritesLocal => (Flags & HybridCacheEntryFlags.DisableLocalCacheWrite) == 0;

    public bool ReadsServer => (Flags & HybridCacheEntryFlags.DisableDistributedCacheRead) == 0;

    public bool WritesServer => (Flags & HybridCacheEntryFlags.DisableDistributedCacheWrite) == 0;

    public bool Loads => (Flags & HybridCacheEntryFlags.DisableUnderlyingData) == 0;

    /// <summary>Whether the entry expires at once, so that it is not worth caching.</summary>
    public bool IsUncached => ExpirationMs <= 0;

    /// <summary>How long an entry is fresh after it was stored: until it expires, or is not used for the sliding time.</summary>
    public long FreshMs => SlidingMs > 0 ? Math.Min(SlidingMs, ExpirationMs ?? long.MaxValue / 4) : ExpirationMs ?? UsualMs;

    /// <summary>Until when a sliding expiry may be renewed; 0 for without limit.</summary>
    public long LimitMs => SlidingMs > 0 ? ExpirationMs ?? 0 : 0;

    /// <summary>Microsoft's options over the defaults.</summary>
    public static EntrySettings Of(HybridCacheEntryOptions options, in EntrySettings defaults) =>
        new(
            Ms(options.Expiration) ?? defaults.ExpirationMs,
            Ms(options.LocalCacheExpiration) ?? defaults.LocalMs,
            defaults.SlidingMs,
            defaults.StaleMs,
            options.Flags ?? defaults.Flags
        );

    /// <summary>Our options over the defaults.</summary>
    public static EntrySettings Of(GarnetCacheEntryOptions options, in EntrySettings defaults) =>
        new(
            Ms(options.Expiration) ?? (options.SlidingExpiration is null ? defaults.ExpirationMs : null),
            Ms(options.LocalCacheExpiration) ?? defaults.LocalMs,
            Ms(options.SlidingExpiration) ?? defaults.SlidingMs,
            Ms(options.StaleWhileLoading) ?? defaults.StaleMs,
            options.Flags ?? defaults.Flags
        );

    /// <summary>What the loader has decided.</summary>
    public EntrySettings With(GarnetCacheEntryContext decided) =>
        new(
            Ms(decided.Expiration),
            Ms(decided.LocalCacheExpiration),
            Ms(decided.SlidingExpiration) ?? 0,
            Ms(decided.StaleWhileLoading) ?? 0,
            Flags
        );

    /// <summary>For a loader to decide about.</summary>
    public GarnetCacheEntryContext Context(string key) =>
        new(key, Span(ExpirationMs), Span(LocalMs), SlidingMs > 0 ? Span(SlidingMs) : null, StaleMs > 0 ? Span(StaleMs) : null);

    private static long? Ms(TimeSpan? span) => span is { } given ? Math.Max(0, CacheText.Milliseconds(given)) : null;

    private static TimeSpan? Span(long? ms) => ms is { } given ? TimeSpan.FromMilliseconds(given) : null;
}
