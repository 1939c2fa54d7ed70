// A file written by the log; tests replace it to inject faults. Used by the log's thread, Sync and Prepare also by its sync thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>One open segment. Results are returned as the system returns them: the caller handles short and interrupted writes.</summary>
internal interface ISegmentFile : IDisposable
{
    /// <summary>Writes bytes from memory at a position.</summary>
    /// <returns>Bytes written, possibly fewer than requested; or the error number, negated.</returns>
    int Write(nint source, int bytes, long position);

    /// <summary>Returns when everything written is durable.</summary>
    /// <returns>0, or the error number.</returns>
    int Sync();

    /// <summary>Reserves space up to a position, so that a full disk is noticed before there is something to write.</summary>
    /// <returns>0, or the error number.</returns>
    int Reserve(long position) => 0;

    /// <summary>
    /// Writes zeros where space is reserved and nothing is written yet. This makes a sync much shorter: the file system need not record
    /// that the space is now in use. May be called by one thread besides the writing one.
    /// </summary>
    /// <returns>False when enough is prepared for now, or nothing can be.</returns>
    bool Prepare() => false;

    /// <summary>Truncates the file.</summary>
    /// <returns>0, or the error number.</returns>
    int Truncate(long length);
}
