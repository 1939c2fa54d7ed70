// When an entry expires. A plain value.
namespace Garnet.Caching.Backends;

/// <summary>The sliding and the absolute expiry of an entry; either may be absent.</summary>
internal readonly record struct CacheExpiry(TimeSpan? Sliding, DateTimeOffset? At);
