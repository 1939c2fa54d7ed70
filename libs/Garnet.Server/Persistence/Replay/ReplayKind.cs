// How an effect is replayed. Immutable.
namespace Garnet.Server.Persistence.Replay;

/// <summary>What must precede an effect, and what must not run concurrently.</summary>
internal enum ReplayKind
{
    /// <summary>Everything before it comes first, and nothing runs concurrently.</summary>
    Alone,

    /// <summary>It concerns one key: earlier effects on the same key come first.</summary>
    OneKey,

    /// <summary>It does the same with each of its keys, so it can be executed key by key.</summary>
    EachKey,

    /// <summary>It selects the database of the following effects.</summary>
    Selects,

    /// <summary>It begins a transaction. There are no readers, so its commands can be executed one by one.</summary>
    Begins,

    /// <summary>It ends a transaction.</summary>
    Ends,

    /// <summary>It has no effect on data: a message to subscribers, or part of the protocol of replication.</summary>
    Ignored,

    /// <summary>No server replicates it, and it is not executed.</summary>
    Refused,
}
