// One open file. Used by one thread at a time.
namespace Garnet.Persistence.Files;

/// <summary>
/// Reads and writes at given offsets. Data is durable only after <see cref="Sync"/>; after a failed Sync the state of the data is unknown,
/// and retrying proves nothing.
/// </summary>
internal interface IDiskFile : IDisposable
{
    /// <summary>1, or the number of bytes that the offsets, lengths and addresses of writes must be multiples of.</summary>
    int Alignment { get; }

    long Length { get; }

    /// <summary>
    /// Writes at least one of the bytes and returns how many. Callers continue with the rest (from a multiple of <see cref="Alignment"/>).
    /// </summary>
    int Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Reads some bytes; 0 at the end of the file.</summary>
    int Read(long offset, Span<byte> bytes);

    /// <summary>Truncates or extends the file.</summary>
    void SetLength(long length);

    /// <summary>Returns when everything written is on the device.</summary>
    void Sync();
}
