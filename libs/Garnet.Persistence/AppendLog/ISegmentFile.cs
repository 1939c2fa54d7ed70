// A file that the log writes: the seam at which tests inject faults. Used by the log's thread, Sync and Prepare also by its sync thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// One open segment. Results are as the system gives them, so that short and interrupted writes are the caller's business.
/// </summary>
public interface ISegmentFile : IDisposable
{
    /// <summary>Writes so many bytes of memory at a position.</summary>
    /// <returns>Bytes written, fewer than asked for perhaps; or the error number, negated.</returns>
    int Write(nint source, int bytes, long position);

    /// <summary>Returns when all that was written is on the disk.</summary>
    /// <returns>0, or the error number.</returns>
    int Sync();

    /// <summary>
    /// Writes some zeros where space is reserved and nothing is written yet. A sync is much shorter where that was done: the file system
    /// need not note that the space is in use now. For one thread beside the one that writes.
    /// </summary>
    /// <returns>False when enough is prepared for now, or nothing can be.</returns>
    bool Prepare() => false;

    /// <summary>Cuts the file off.</summary>
    /// <returns>0, or the error number.</returns>
    int Truncate(long length);
}
