// The settings of one store; read once, when the store is built.
namespace Garnet.Store;

/// <summary>Settings of a <see cref="HybridLogStore"/>.</summary>
internal sealed class StoreOptions
{
    /// <summary>Number of logical databases (Valkey's <c>databases</c>), 1 to 128.</summary>
    public int Databases { get; init; } = 16;

    /// <summary>Memory limit of the data (pages, index, blocks) in bytes; 0 means no limit. Writes that would exceed it are
    /// rejected.</summary>
    public long MaxMemoryBytes { get; init; }

    /// <summary>Seed of the key hash; null uses a random one, so that clients cannot choose colliding keys.</summary>
    public ulong? HashSeed { get; init; }

    /// <summary>Seed of the choice of buckets from which keys are evicted; null draws one for each evictor, so that sessions that evict at
    /// once look at different buckets.</summary>
    public ulong? EvictionSeed { get; init; }

    /// <summary>Log page size as a power of two, 16 (64 KiB) to 25 (32 MiB).</summary>
    public int PageSizeBits { get; init; } = 20;

    /// <summary>Values of at least this size are stored in reference-counted blocks outside of the log.</summary>
    public int BlockThresholdBytes { get; init; } = 16 * 1024;
}
