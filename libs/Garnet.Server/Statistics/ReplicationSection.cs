// INFO replication. Stateless; any thread.
namespace Garnet.Server.Statistics;

/// <summary>A server without replicas: that is all there is to say.</summary>
internal static class ReplicationSection
{
    /// <summary>Writes the fields.</summary>
    public static void Write(InfoText text)
    {
        text.Field("role", "master");
        text.Field("connected_slaves", 0);
        text.Field("master_failover_state", "no-failover");
        text.Field("master_repl_offset", 0);
        text.Field("repl_backlog_active", 0);
    }
}
