// A segment on a real disk. Used by the log's thread, Sync also by its sync thread.
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.AppendLog;

/// <summary>An open file of a <see cref="LogFolder"/>.</summary>
internal sealed class SegmentFile(SafeFileHandle file) : ISegmentFile
{
    /// <inheritdoc/>
    public int Write(nint source, int bytes, long position) => FileCalls.Write(file, source, bytes, position);

    /// <inheritdoc/>
    public int Sync() => FileCalls.Sync(file);

    /// <inheritdoc/>
    public int Truncate(long length)
    {
        try
        {
            RandomAccess.SetLength(file, length);
            return 0;
        }
        catch (IOException)
        {
            // Only what lies behind the end is kept too long; readers know where the end is.
            return FileCalls.InputOutput;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => file.Dispose();
}
