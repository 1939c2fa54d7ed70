// Replaces FasterLog's store of commit records. Stateless; any thread.
using FASTER.core;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Stores nothing: frames themselves say where they belong and what was durable before them, so that a commit is one write and one sync, by
/// the log's own thread.
/// </summary>
internal sealed class NoCommitMetadata : ILogCommitManager
{
    /// <inheritdoc/>
    public void Commit(long beginAddress, long untilAddress, byte[] commitMetadata, long commitNum, bool forceWriteMetadata) { }

    /// <inheritdoc/>
    public byte[]? GetCommitMetadata(long commitNum) => null;

    /// <inheritdoc/>
    public IEnumerable<long> ListCommits() => [];

    /// <inheritdoc/>
    public void RemoveCommit(long commitNum) { }

    /// <inheritdoc/>
    public void RemoveAllCommits() { }

    /// <inheritdoc/>
    public void OnRecovery(long commitNum) { }

    /// <inheritdoc/>
    public void Dispose() { }
}
