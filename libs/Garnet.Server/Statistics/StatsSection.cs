// INFO stats. Any thread.
using Garnet.Engine.Counters;
using Garnet.Server.Basics;
using Garnet.Server.Messaging;
using Garnet.Server.Migration;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;
using Garnet.Server.Tracking;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>Events since the start or the last CONFIG RESETSTAT.</summary>
internal sealed class StatsSection(
    ServerStatistics statistics,
    ServerReplication replication,
    HybridLogStore store,
    MessageHub messages,
    ServerScripts scripts,
    KeyTracking tracking,
    TargetConnections targets,
    ServerPersistence persistence
) : InfoSection("stats", "Stats", isDefault: true)
{
    private static readonly string[] Missing =
    [
        "latest_fork_usec",
        "active_defrag_hits",
        "active_defrag_misses",
        "active_defrag_key_hits",
        "active_defrag_key_misses",
    ];

    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        text.Field("total_connections_received", statistics.ConnectionsReceived);
        text.Field("total_commands_processed", totals.CommandsProcessed);
        text.Field("instantaneous_ops_per_sec", (long)statistics.Rates.Operations);
        text.Field("total_net_input_bytes", totals.InputBytes);
        text.Field("total_net_output_bytes", totals.OutputBytes);
        text.Field("instantaneous_input_kbps", statistics.Rates.InputBytes / 1024);
        text.Field("instantaneous_output_kbps", statistics.Rates.OutputBytes / 1024);
        text.Field("instantaneous_input_repl_kbps", statistics.Rates.ReplicationInputBytes / 1024);
        text.Field("instantaneous_output_repl_kbps", statistics.Rates.ReplicationOutputBytes / 1024);
        WriteReplication(text, replication, statistics.Baseline);
        text.Field("rejected_connections", statistics.RejectedConnections);
        WriteExpiryAndEviction(text, store.Statistics, statistics);
        text.Field("keyspace_hits", totals.KeyspaceHits);
        text.Field("keyspace_misses", totals.KeyspaceMisses);
        text.Field("pubsub_channels", messages.CountOf(TopicKind.Channel));
        text.Field("pubsub_patterns", messages.CountOf(TopicKind.Pattern));
        text.Field("pubsubshard_channels", messages.CountOf(TopicKind.ShardChannel));
        text.Field("evicted_scripts", scripts.Cache.Evicted - statistics.Baseline.EvictedScripts);
        WriteTracking(text, tracking);
        text.Field("migrate_cached_sockets", targets.Count);
        WriteMissingParts(text);
        // Nothing is forked; the operations for which Valkey forks are counted.
        text.Field(
            "total_forks",
            persistence.Snapshots.Saves + persistence.AppendOnly.Rewrites.Count - statistics.Baseline.Saves - statistics.Baseline.Rewrites
        );
        text.Field("unexpected_error_replies", statistics.UnexpectedReplies);
        text.Field("total_error_replies", totals.Errors.Values.Sum());
        text.Field("dump_payload_sanitizations", totals.CheckedPayloads);
        text.Field("total_reads_processed", totals.Reads);
        text.Field("total_writes_processed", totals.Writes);
        WriteLoops(text, totals, statistics);
        text.Field("client_query_buffer_limit_disconnections", statistics.QueryBufferDisconnections);
        text.Field("client_output_buffer_limit_disconnections", statistics.OutputBufferDisconnections);
        text.Field("acl_access_denied_auth", statistics.Denied(Denial.Login));
        text.Field("acl_access_denied_cmd", statistics.Denied(Denial.Command));
        text.Field("acl_access_denied_key", statistics.Denied(Denial.Key));
        text.Field("acl_access_denied_channel", statistics.Denied(Denial.Channel));
        text.Field("acl_access_denied_tls_cert", statistics.Denied(Denial.Certificate));
        text.Field("acl_access_denied_db", statistics.Denied(Denial.Database));
    }

    private static void WriteTracking(InfoText text, KeyTracking tracking)
    {
        text.Field("tracking_total_keys", tracking.Keys);
        text.Field("tracking_total_items", tracking.Items);
        text.Field("tracking_total_prefixes", tracking.Prefixes.Count);
    }

    // A cycle is a batch of requests here.
    private static void WriteLoops(InfoText text, CounterTotals totals, ServerStatistics statistics)
    {
        text.Field("eventloop_cycles", totals.Reads);
        text.Field("eventloop_duration_sum", ProcessorMicroseconds(statistics));
        text.Field("eventloop_duration_cmd_sum", totals.Microseconds.Sum());
        text.Field("instantaneous_eventloop_cycles_per_sec", (long)statistics.Rates.Cycles);
        text.Field("instantaneous_eventloop_duration_usec", (long)statistics.Rates.MicrosecondsPerCycle);
    }

    private static long ProcessorMicroseconds(ServerStatistics statistics) =>
        ProcessorUsage.TryGet(out Environment.ProcessCpuUsage usage)
            ? (long)(usage.TotalTime - statistics.Baseline.ProcessorTime).TotalMicroseconds
            : 0;

    // Without scripts, replicas and defragmentation these counts are zero. They are what monitoring tools read; docs/info.md
    // lists the rest.
    private static void WriteMissingParts(InfoText text)
    {
        foreach (string name in Missing)
            text.Field(name, 0);
    }

    // Active expiry processes a bounded number of records in each run; that bound corresponds to Valkey's time cap.
    private static void WriteExpiryAndEviction(InfoText text, StoreStatistics store, ServerStatistics statistics)
    {
        text.Field("expired_keys", store.ExpiredKeys);
        text.Field("expired_fields", store.ExpiredFields);
        text.Field("expired_stale_perc", store.StaleKeyShare * 100);
        text.Field("expired_keys_with_volatile_items_stale_perc", store.StaleHashShare * 100);
        text.Field("expired_time_cap_reached_count", store.CappedExpiryRuns);
        text.Field("expire_cycle_cpu_milliseconds", store.ExpiryMs);
        text.Field("evicted_keys", store.EvictedKeys);
        text.Field("evicted_clients", statistics.EvictedClients);
        text.Field("total_eviction_exceeded_time", store.EvictionExceededMs);
        text.Field("current_eviction_exceeded_time", store.EvictionExceedingMs);
    }

    private static void WriteReplication(InfoText text, ServerReplication replication, CounterBaseline since)
    {
        text.Field("total_net_repl_input_bytes", replication.ReceivedBytes - since.ReceivedBytes);
        text.Field("total_net_repl_output_bytes", replication.Replicas.SentBytes - since.SentBytes);
        text.Field("sync_full", replication.Replicas.FullSyncs - since.FullSyncs);
        text.Field("sync_partial_ok", replication.Replicas.PartialSyncs - since.PartialSyncs);
        text.Field("sync_partial_err", replication.Replicas.RefusedPartialSyncs - since.RefusedPartialSyncs);
        text.Field("slave_expires_tracked_keys", replication.Primary?.OwnKeys.Count ?? 0);
    }
}
