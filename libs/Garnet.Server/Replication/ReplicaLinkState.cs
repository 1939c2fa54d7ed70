// The states of a link to a replica. Immutable.
namespace Garnet.Server.Replication;

/// <summary>How far a replica's synchronization is.</summary>
internal enum ReplicaLinkState
{
    /// <summary>The client has announced something, and has not asked for anything yet.</summary>
    None,

    /// <summary>Waits for a snapshot to begin.</summary>
    WaitingForSnapshot,

    /// <summary>Receives the snapshot.</summary>
    ReceivingSnapshot,

    /// <summary>Has been sent the whole snapshot, and loads it.</summary>
    Loading,

    /// <summary>Receives the stream.</summary>
    Online,

    /// <summary>The connection has ended.</summary>
    Closed,
}
