// A file of the operating system. Used by one thread at a time.
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>An open handle and the alignment that its writes require.</summary>
internal sealed class SystemDiskFile(SafeFileHandle handle, int alignment) : IDiskFile
{
    /// <summary>A memory page: no device in use requires more.</summary>
    public const int DirectAlignment = 4096;

    /// <inheritdoc/>
    public int Alignment => alignment;

    /// <inheritdoc/>
    public long Length => RandomAccess.GetLength(handle);

    /// <inheritdoc/>
    public int Write(long offset, ReadOnlySpan<byte> bytes)
    {
        // The runtime itself continues after short and interrupted writes.
        RandomAccess.Write(handle, bytes, offset);
        return bytes.Length;
    }

    /// <inheritdoc/>
    public int Read(long offset, Span<byte> bytes) => RandomAccess.Read(handle, bytes, offset);

    /// <inheritdoc/>
    public void SetLength(long length) => RandomAccess.SetLength(handle, length);

    /// <inheritdoc/>
    public void Sync() => RandomAccess.FlushToDisk(handle);

    /// <inheritdoc/>
    public void Dispose() => handle.Dispose();
}
