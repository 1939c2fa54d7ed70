// The states of a failover. Immutable.
namespace Garnet.Server.Replication;

/// <summary>How far a failover is; INFO shows it.</summary>
internal enum FailoverState
{
    /// <summary>There is none.</summary>
    None,

    /// <summary>A replica catches up while writes wait.</summary>
    WaitingForSync,

    /// <summary>The replica is asked to become the primary.</summary>
    InProgress,
}
