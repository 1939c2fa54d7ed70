// The options about memory and keys. Stateless; any thread.

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about memory, eviction and databases.</summary>
internal static class MemoryOptions
{
    private const int MaxHashSeedLength = 256;

    public static OptionDescriptor[] All() =>
        [
            new MemoryOption("maxmemory", static o => o.MaxMemoryBytes, static (o, v) => o.MaxMemoryBytes = v, 0, long.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "Maximum memory of the server, in bytes or as a percentage of the machine's or container's; 0 means no limit.",
                Mutability = Mutability.Runtime,
                Percent = PercentRule.OfMachine,
            },
            new EnumOption<EvictionPolicy>(
                "maxmemory-policy",
                static o => o.MaxMemoryPolicy,
                static (o, v) => o.MaxMemoryPolicy = v,
                [
                    ("volatile-lru", EvictionPolicy.VolatileLru),
                    ("volatile-lfu", EvictionPolicy.VolatileLfu),
                    ("volatile-random", EvictionPolicy.VolatileRandom),
                    ("volatile-ttl", EvictionPolicy.VolatileTtl),
                    ("allkeys-lru", EvictionPolicy.AllKeysLru),
                    ("allkeys-lfu", EvictionPolicy.AllKeysLfu),
                    ("allkeys-random", EvictionPolicy.AllKeysRandom),
                    ("allkeys-lrfu", EvictionPolicy.AllKeysLrfu),
                    ("noeviction", EvictionPolicy.NoEviction),
                ]
            )
            {
                Group = OptionGroup.Data,
                Help =
                    "What a full server does: evict keys (any, or volatile ones: those with an expiry), or with noeviction reject writes that need memory.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption("maxdisk", static o => o.MaxDiskBytes, static (o, v) => o.MaxDiskBytes = v, 0, long.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "Maximum size on disk of values that are not used, which move there when memory is full; 0 keeps all in memory.",
            },
            new StringOption("tier-dir", static o => o.TierDir, static (o, v) => o.TierDir = v)
            {
                Group = OptionGroup.Data,
                Help = "Folder of values on disk (see maxdisk), relative to dir; nothing in it outlives the process.",

                Check = static path => path.Length == 0 ? "tier-dir can't be empty" : null,
            },
            new MemoryOption("tier-min-value", static o => o.TierMinValueBytes, static (o, v) => o.TierMinValueBytes = (int)v, 0, 1 << 20)
            {
                Group = OptionGroup.Data,
                Help = "Values shorter than this stay in memory.",
            },
            new MemoryOption("tier-max-value", static o => o.TierMaxValueBytes, static (o, v) => o.TierMaxValueBytes = (int)v, 0, 8 << 20)
            {
                Group = OptionGroup.Data,
                Help = "Values longer than this stay in memory.",
            },
            new IntegerOption("maxmemory-samples", static o => o.MaxMemorySamples, static (o, v) => o.MaxMemorySamples = (int)v, 1, 64)
            {
                Group = OptionGroup.Data,
                Help = "Keys sampled for each eviction.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "maxmemory-eviction-tenacity",
                static o => o.MaxMemoryEvictionTenacity,
                static (o, v) => o.MaxMemoryEvictionTenacity = (int)v,
                0,
                100
            )
            {
                Group = OptionGroup.Data,
                Help =
                    "How long a single command may evict: up to 10 in steps of 50 microseconds, each further step adds 15 %; 100 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("lfu-log-factor", static o => o.LfuLogFactor, static (o, v) => o.LfuLogFactor = (int)v, 0, int.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "How quickly the increments of a key's frequency become rarer, with the lfu policies.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "lfu-decay-time",
                static o => o.LfuDecayTimeMinutes,
                static (o, v) => o.LfuDecayTimeMinutes = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.LfuDecayTime),
                Unit = TimeSpan.FromMinutes(1),
                Group = OptionGroup.Data,
                Help = "Minutes after which keys' frequencies are decremented, with the lfu policies; 0 for never.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("hash-seed", static o => o.HashSeed, static (o, v) => o.HashSeed = v)
            {
                Group = OptionGroup.Data,
                Help =
                    "Text from which the hash tables' seed is made: servers with the same one and the same keys return them in the same order. \"\" draws a seed at each start.",
                EmptyIsAbsent = true,
                Sensitive = true,
                Check = static seed =>
                    seed.Length > MaxHashSeedLength ? $"hash-seed must be less than or equal to {MaxHashSeedLength} characters" : null,
            },
            new IntegerOption("databases", static o => o.Databases, static (o, v) => o.Databases = (int)v, 1, 128)
            {
                Group = OptionGroup.Data,
                Help = "Number of logical databases.",
            },
            new MemoryOption(
                "hll-sparse-max-bytes",
                static o => o.HllSparseMaxBytes,
                static (o, v) => o.HllSparseMaxBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum size of a HyperLogLog in its sparse form.",
                Mutability = Mutability.Runtime,
            },
        ];
}
