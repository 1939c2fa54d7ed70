// What a near cache has done. Immutable; any thread.
namespace Garnet.Client;

/// <summary>Counts since the cache was created, and its present size.</summary>
/// <param name="Hits">Reads that were answered from memory.</param>
/// <param name="Misses">Reads that asked the server, or waited for another read that did.</param>
/// <param name="Invalidations">Keys that the server has announced as changed, whether or not they were kept.</param>
/// <param name="Entries">Values kept now.</param>
/// <param name="Bytes">Bytes of keys and values kept now, with a flat charge for each.</param>
public readonly record struct RespNearCacheStatistics(long Hits, long Misses, long Invalidations, int Entries, long Bytes);
