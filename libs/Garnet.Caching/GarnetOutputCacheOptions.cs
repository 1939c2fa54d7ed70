// The settings of the output cache. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where <see cref="GarnetOutputCacheStore"/> keeps responses.</summary>
public sealed class GarnetOutputCacheOptions : GarnetCacheOptions { }
