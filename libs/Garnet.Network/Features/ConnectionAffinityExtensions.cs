// The await-able form of a connection's affinity. Thread-safe.
namespace Garnet.Network;

/// <summary>Awaiting a connection's owner.</summary>
public static class ConnectionAffinityExtensions
{
    /// <summary>Continues on the connection's owner thread.</summary>
    public static OwnerSwitch SwitchToOwner(this IConnectionAffinity affinity) => new(affinity);
}
