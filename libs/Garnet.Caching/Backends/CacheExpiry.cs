// When an entry expires. A plain value.
namespace Garnet.Caching.Backends;

/// <summary>The sliding time and the absolute time of an entry; each may be missing.</summary>
internal readonly record struct CacheExpiry(TimeSpan? Sliding, DateTimeOffset? At);
