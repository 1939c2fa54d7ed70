// The settings of a server about memory, keys and collections; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>
    /// What values that are not used may take on disk, in bytes, when memory is full; 0 keeps all values in memory. Needs
    /// <see cref="MaxMemoryBytes"/>. Keys stay in memory; nothing on disk outlives the process.
    /// </summary>
    public long MaxDiskBytes { get; set; }

    /// <summary>The folder of values on disk, relative to <see cref="Dir"/>. One server uses it at a time.</summary>
    public string TierDir { get; set; } = "tier";

    /// <summary>Values shorter than this many bytes stay in memory.</summary>
    public int TierMinValueBytes { get; set; } = 64;

    /// <summary>Values longer than this many bytes stay in memory.</summary>
    public int TierMaxValueBytes { get; set; } = 8 << 20;

    /// <summary>Keys sampled for each eviction.</summary>
    public int MaxMemorySamples { get; set; } = 5;

    /// <summary>
    /// How long a single command may evict: up to 10 in steps of 50 microseconds, each further step adds 15 %; 100 means no limit.
    /// </summary>
    public int MaxMemoryEvictionTenacity { get; set; } = 10;

    /// <summary>How quickly the increments of a key's frequency become rarer.</summary>
    public int LfuLogFactor { get; set; } = 10;

    /// <summary>Time after which keys' frequencies are decremented, rounded up to minutes; zero for never.</summary>
    public TimeSpan LfuDecayTime
    {
        get => TimeSpan.FromMinutes(LfuDecayTimeMinutes);
        set => LfuDecayTimeMinutes = (int)Units(value, TimeSpan.TicksPerMinute, int.MaxValue);
    }

    internal int LfuDecayTimeMinutes { get; set; } = 1;

    /// <summary>Maximum size in bytes of a HyperLogLog in its sparse form.</summary>
    public long HllSparseMaxBytes { get; set; } = 3000;

    /// <summary>
    /// Text of which the seed of the hash tables is made, so that servers with the same keys return them in the same order; at most 256
    /// characters. Empty draws a seed at each start. Who knows it can choose keys that collide.
    /// </summary>
    public string HashSeed { get; set; } = "";

    /// <summary>Number of logical databases.</summary>
    public int Databases { get; set; } = 16;

    /// <summary>Maximum number of fields of a hash with the encoding listpack.</summary>
    public long HashMaxListPackEntries { get; set; } = 512;

    /// <summary>Maximum field or value length, in bytes, of a hash with the encoding listpack.</summary>
    public long HashMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum number of elements of a list with the encoding listpack; -1 to -5 mean 4, 8, 16, 32 and 64 KiB.</summary>
    public int ListMaxListPackSize { get; set; } = -2;

    /// <summary>Maximum number of members of a set with the encoding intset.</summary>
    public long SetMaxIntSetEntries { get; set; } = 512;

    /// <summary>Maximum number of members of a set with the encoding listpack.</summary>
    public long SetMaxListPackEntries { get; set; } = 128;

    /// <summary>Maximum member length, in bytes, of a set with the encoding listpack.</summary>
    public long SetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum number of members of a sorted set with the encoding listpack.</summary>
    public long SortedSetMaxListPackEntries { get; set; } = 128;

    /// <summary>Maximum member length, in bytes, of a sorted set with the encoding listpack.</summary>
    public long SortedSetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum size of a stream node in bytes; 0 for no limit.</summary>
    public long StreamNodeMaxBytes { get; set; } = 4096;

    /// <summary>Maximum number of entries of a stream node; 0 for no limit.</summary>
    public long StreamNodeMaxEntries { get; set; } = 100;
}
