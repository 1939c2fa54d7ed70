// How a file is loaded; read once, when loading begins.
namespace Garnet.Persistence.Rdb;

/// <summary>Settings of an <see cref="RdbLoader"/>.</summary>
internal sealed record RdbLoadOptions
{
    /// <summary>Threads that insert keys, besides the calling one that reads the file.</summary>
    public int Workers { get; init; } = Environment.ProcessorCount;

    /// <summary>Whether keys past their expiry are kept (a replica's primary deletes them) instead of skipped.</summary>
    public bool KeepsExpired { get; init; }

    /// <summary>
    /// The name of a property with which a file's keys past their expiry are kept in any case; null for none.
    /// </summary>
    public string? KeepsExpiredWith { get; init; }

    /// <summary>
    /// Whether the file is only read, which finds everything that would make loading it fail but a key that occurs twice: nothing is
    /// inserted, and the store need not be empty.
    /// </summary>
    public bool OnlyChecks { get; init; }

    /// <summary>
    /// Whether the keys go to the databases of <see cref="Store.StoreDatabases.TryPrepare"/>; then the store need not be empty.
    /// </summary>
    public bool IntoPrepared { get; init; }

    /// <summary>Whether the file's checksum is verified (<c>rdbchecksum</c>).</summary>
    public bool VerifiesChecksum { get; init; } = true;

    /// <summary>
    /// Whether files of later Valkey versions are read as far as their types are known (<c>rdb-version-check relaxed</c>).
    /// </summary>
    public bool TakesLaterVersions { get; init; }
}
