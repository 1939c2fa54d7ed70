// One open file. Used by one thread at a time.
namespace Garnet.Persistence.Files;

/// <summary>
/// Reads and writes at given places. What is written is durable only after <see cref="Sync"/>; after a Sync that failed nothing is known of
/// it, and trying again proves nothing.
/// </summary>
public interface IDiskFile : IDisposable
{
    /// <summary>1, or the number of bytes that offsets, lengths and addresses of writes must be multiples of.</summary>
    int Alignment { get; }

    /// <summary>Bytes in the file.</summary>
    long Length { get; }

    /// <summary>
    /// Writes some of the bytes, at least one; gives their number. Callers go on with the rest (from a multiple of
    /// <see cref="Alignment"/>).
    /// </summary>
    int Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Reads some bytes; 0 at the end of the file.</summary>
    int Read(long offset, Span<byte> bytes);

    /// <summary>Cuts or grows the file.</summary>
    void SetLength(long length);

    /// <summary>Returns when everything written is on the device.</summary>
    void Sync();
}
