// The settings of one store; read once, when the store is built.
namespace Garnet.Store;

/// <summary>Settings of a <see cref="HybridLogStore"/>.</summary>
public sealed class StoreOptions
{
    /// <summary>Number of logical databases (Valkey's <c>databases</c>), 1 to 128.</summary>
    public int Databases { get; init; } = 16;

    /// <summary>Bytes the data may take (pages, index, blocks); 0 means no limit. Writes that would pass it are refused credit.</summary>
    public long MaxMemoryBytes { get; init; }

    /// <summary>Seed of the key hash; null takes a random one, so that nobody outside can choose colliding keys.</summary>
    public ulong? HashSeed { get; init; }

    /// <summary>Log page size as a power of two, 16 (64 KiB) to 25 (32 MiB).</summary>
    public int PageSizeBits { get; init; } = 20;

    /// <summary>Values of at least this many bytes live in reference-counted blocks outside the log.</summary>
    public int BlockThresholdBytes { get; init; } = 16 * 1024;
}
