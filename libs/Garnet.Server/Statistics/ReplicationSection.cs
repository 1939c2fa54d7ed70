// INFO replication. Stateless; any thread.
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>The constant fields of a server without replicas.</summary>
internal static class ReplicationSection
{
    public static void Write(InfoText text, RespServer server)
    {
        text.Field("role", "master");
        text.Field("connected_slaves", 0);
        text.Field("master_failover_state", "no-failover");
        text.Field("master_replid", server.Identity.ReplicationId);
        text.Field("master_replid2", new string('0', 40));
        text.Field("master_repl_offset", 0);
        text.Field("second_repl_offset", -1);
        text.Field("repl_backlog_active", 0);
        text.Field("repl_backlog_first_byte_offset", 0);
        text.Field("repl_backlog_histlen", 0);
    }
}
