// What FasterLog asks to make a commit durable: the sync, when the option says so. Called by the log's thread.
using FASTER.core;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A commit of FasterLog is the log's group commit: everything handed over since the last one is written, then forced to the disk here, once.
/// FasterLog's own metadata is not kept: frames say themselves where they belong, so that one sync is enough.
/// </summary>
internal sealed class CommitGate(SegmentDevice device) : ILogCommitManager
{
    /// <summary>Whether commits are forced to the disk.</summary>
    public bool Syncs { get; set; }

    /// <summary>Set when a commit was forced to the disk.</summary>
    public bool IsSynced { get; set; }

    /// <inheritdoc/>
    public void Commit(long beginAddress, long untilAddress, byte[] commitMetadata, long commitNum, bool forceWriteMetadata) =>
        IsSynced = Syncs && device.TrySync();

    /// <inheritdoc/>
    public byte[]? GetCommitMetadata(long commitNum) => null;

    /// <inheritdoc/>
    public IEnumerable<long> ListCommits() => [];

    /// <inheritdoc/>
    public void RemoveCommit(long commitNum)
    {
    }

    /// <inheritdoc/>
    public void RemoveAllCommits()
    {
    }

    /// <inheritdoc/>
    public void OnRecovery(long commitNum)
    {
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
