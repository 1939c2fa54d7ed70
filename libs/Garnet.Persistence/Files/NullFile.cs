// A file that stores nothing. Used by one thread at a time.
namespace Garnet.Persistence.Files;

/// <summary>Counts the bytes written.</summary>
internal sealed class NullFile : IDiskFile
{
    /// <inheritdoc/>
    public int Alignment => SystemDiskFile.DirectAlignment;

    /// <inheritdoc/>
    public long Length { get; private set; }

    /// <inheritdoc/>
    public int Write(long offset, ReadOnlySpan<byte> bytes)
    {
        Length = Math.Max(Length, offset + bytes.Length);
        return bytes.Length;
    }

    /// <inheritdoc/>
    public int Read(long offset, Span<byte> bytes) => 0;

    /// <inheritdoc/>
    public void SetLength(long length) => Length = length;

    /// <inheritdoc/>
    public void Sync() { }

    /// <inheritdoc/>
    public void Dispose() { }
}
