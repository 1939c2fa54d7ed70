// What a session has changed. Part of a StoreSession; used by its thread.
namespace Garnet.Store.Changes;

/// <summary>Counters of a session's own changes.</summary>
internal struct SessionChanges
{
    /// <summary>
    /// Counts the key changes made by this session: tells whether a command changed anything. Removing an expired key does not count as a
    /// change by the command.
    /// </summary>
    public long Count;

    /// <summary>Keys created minus keys removed since the last report to the index.</summary>
    public int Created;

    /// <summary>
    /// Changes whenever this session creates, moves or removes a record, so that a second handle on the same key notices.
    /// </summary>
    public int Stamp;

    /// <summary>
    /// Whether they were accepted before, as effects are: values that they need come back from disk also when memory is exhausted.
    /// </summary>
    public bool WereAccepted;
}
