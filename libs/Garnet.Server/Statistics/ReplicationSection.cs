// INFO replication. Any thread.
using System.Globalization;
using Garnet.Engine.Clients;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Replication;

namespace Garnet.Server.Statistics;

/// <summary>
/// The role, the replicas and the stream, in Valkey's order: Sentinel understands the fields of a replica only after the role.
/// </summary>
internal sealed class ReplicationSection(
    ServerReplication replication,
    Failover failover,
    ServerClock clock,
    ServerConfiguration configuration
) : InfoSection("replication", "Replication", isDefault: true)
{
    private const long MsPerSecond = 1000;

    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        long now = clock.SteadyMs;
        text.Field("role", replication.IsReplica ? "slave" : "master");
        if (replication.Primary is { } primary)
            WritePrimary(text, primary, now);
        WriteReplicas(text, now);
        text.Field("master_failover_state", StateOf(failover.State));
        text.Field("master_replid", replication.History.Id);
        text.Field("master_replid2", replication.History.SecondId);
        text.Field("master_repl_offset", replication.Effects.Stream.Position);
        text.Field("second_repl_offset", replication.History.SecondEnd);
        WriteBacklog(text);
    }

    private void WritePrimary(InfoText text, PrimaryLink primary, long now)
    {
        GarnetOptions options = configuration.Current;
        bool isUp = primary.State == PrimaryLinkState.Connected;
        text.Field("master_host", primary.Host);
        text.Field("master_port", primary.Port);
        text.Field("master_link_status", isUp ? "up" : "down");
        text.Field("master_last_io_seconds_ago", isUp ? SecondsSince(primary.HeardAtMs, now) : -1);
        text.Field("master_sync_in_progress", primary.State == PrimaryLinkState.Sync ? 1 : 0);
        text.Field("slave_read_repl_offset", replication.Effects.Stream.Position);
        text.Field("slave_repl_offset", replication.Effects.Stream.Position);
        long lag = primary.LagMs(now);
        text.Field("replica_lag_seconds", lag < 0 ? -1 : lag / MsPerSecond);
        if (primary.Payload is { } payload)
            WriteTransfer(text, payload, primary, now);
        if (!isUp)
            text.Field("master_link_down_since_seconds", primary.DownSinceMs > 0 ? SecondsSince(primary.DownSinceMs, now) : -1);
        text.Field("slave_priority", options.ReplicaPriority);
        text.Field("slave_read_only", options.ReplicaReadOnly ? 1 : 0);
        text.Field("replica_announced", options.ReplicaAnnounced ? 1 : 0);
    }

    private static void WriteTransfer(InfoText text, PayloadStream payload, PrimaryLink primary, long now)
    {
        double share = payload.TotalBytes == 0 ? 0 : 100.0 * payload.ReceivedBytes / payload.TotalBytes;
        text.Field("master_sync_total_bytes", payload.TotalBytes);
        text.Field("master_sync_read_bytes", payload.ReceivedBytes);
        text.Field("master_sync_left_bytes", Math.Max(0, payload.TotalBytes - payload.ReceivedBytes));
        text.Field("master_sync_perc", share);
        text.Field("master_sync_last_io_seconds_ago", SecondsSince(primary.HeardAtMs, now));
    }

    private void WriteReplicas(InfoText text, long now)
    {
        ReplicaLink[] all = replication.Replicas.All;
        text.Field("connected_slaves", all.Length);
        GarnetOptions options = configuration.Current;
        if (options.MinReplicasToWrite > 0 && options.MinReplicasMaxLagSeconds > 0)
            text.Field("min_slaves_good_slaves", replication.Replicas.CountGood(now, options.MinReplicasMaxLagSeconds));
        int number = 0;
        foreach (ReplicaLink link in all)
        {
            string state = StateOf(link.State);
            if (state.Length == 0)
                continue;
            long lag = link.State == ReplicaLinkState.Online ? SecondsSince(link.AcknowledgedAtMs, now) : 0;
            text.Field(
                string.Create(CultureInfo.InvariantCulture, $"slave{number++}"),
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"ip={link.Address}{PortOf(link)},state={state},offset={link.Acknowledged},lag={lag},type=replica"
                )
            );
        }

        text.Field("replicas_waiting_psync", 0);
        WriteBuffers(text, all);
    }

    // A replica that named no port cannot be connected to. Sentinel passes over a line without a port; port 0 would be another replica to
    // it, which never answers.
    private static string PortOf(ReplicaLink link) =>
        link.Properties.Port == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $",port={link.Properties.Port}");

    private static void WriteBuffers(InfoText text, ReplicaLink[] all)
    {
        long bytes = all.Sum(static link => link.Buffer.Bytes);
        long sends = all.Sum(static link => link.Buffer.Sends);
        text.Field("replica_buffer_size_max", all.Length == 0 ? 0 : all.Max(static link => link.Buffer.Size));
        text.Field("replica_sends", sends);
        text.Field("replica_sends_per_gib", bytes == 0 ? 0 : (long)(sends * (double)(1 << 30) / bytes));
    }

    private void WriteBacklog(InfoText text)
    {
        EffectFeed effects = replication.Effects;
        long first = effects.Stream.FirstPosition;
        text.Field("repl_backlog_active", effects.IsReplicating ? 1 : 0);
        text.Field("repl_backlog_size", configuration.Current.ReplicationBacklogBytes);
        text.Field("repl_backlog_first_byte_offset", effects.IsReplicating ? first + 1 : 0);
        text.Field("repl_backlog_histlen", effects.IsReplicating ? effects.Stream.Position - first : 0);
    }

    private static long SecondsSince(long then, long now) => Math.Max(0, (now - then) / MsPerSecond);

    private static string StateOf(ReplicaLinkState state) =>
        state switch
        {
            ReplicaLinkState.WaitingForSnapshot => "wait_bgsave",
            ReplicaLinkState.ReceivingSnapshot or ReplicaLinkState.Loading => "send_bulk",
            ReplicaLinkState.Online => "online",
            _ => "",
        };

    private static string StateOf(FailoverState state) =>
        state switch
        {
            FailoverState.WaitingForSync => "waiting-for-sync",
            FailoverState.InProgress => "failover-in-progress",
            _ => "no-failover",
        };
}
