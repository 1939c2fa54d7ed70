// The settings of the distributed cache. Set at start, then only read.
namespace Garnet.Caching;

/// <summary>Where <see cref="GarnetDistributedCache"/> keeps its entries.</summary>
public sealed class GarnetDistributedCacheOptions : GarnetCacheOptions { }
