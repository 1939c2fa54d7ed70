// How an RDB file is written; read once, when the writer is made.
namespace Garnet.Persistence.Rdb;

/// <summary>Settings of an <see cref="RdbWriter"/>.</summary>
internal sealed class RdbWriterOptions
{
    /// <summary>
    /// The format's version. 10 is read by Redis since 7.0 and by every Valkey; 80 (Valkey since 9.0) is needed only for hashes with
    /// expiring fields.
    /// </summary>
    public int Version { get; init; } = RdbWriter.UsualVersion;

    /// <summary>Whether strings longer than 20 bytes are compressed where that makes them shorter (<c>rdbcompression</c>).</summary>
    public bool Compress { get; init; } = true;
}
