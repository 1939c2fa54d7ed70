// Which replica a failover is to, and how long it may take. Immutable.
namespace Garnet.Server.Replication;

/// <summary>The arguments of FAILOVER.</summary>
/// <param name="Host">The replica's address; empty for whichever catches up first.</param>
/// <param name="Port">Its port.</param>
/// <param name="IsForced">Whether to go on without it after the deadline.</param>
/// <param name="DeadlineMs">Unix milliseconds until which to wait for the replica.</param>
internal sealed record FailoverTarget(string Host, int Port, bool IsForced, long DeadlineMs)
{
    /// <summary>Whether a replica may be chosen.</summary>
    public bool Includes(ReplicaLink link) =>
        Host.Length == 0 || (link.Properties.Port == Port && link.Address.Equals(Host, StringComparison.OrdinalIgnoreCase));
}
