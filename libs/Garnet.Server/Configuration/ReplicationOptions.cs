// The options about replication. Stateless; any thread.

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about primaries and replicas, each also with Valkey's older name.</summary>
internal static class ReplicationOptions
{
    /// <summary>The longest address that a replica may announce.</summary>
    public const int MaxAnnouncedAddress = 256;

    private const int MaxSendBufferBytes = 16 << 20;

    public static OptionDescriptor[] All() => [.. OfReplicas(), .. OfPrimaries()];

    private static OptionDescriptor[] OfReplicas() =>
        [
            new ReplicaOfOption(static o => o.ReplicaOf, static (o, v) => o.ReplicaOf = v)
            {
                Aliases = ["slaveof"],
                Group = OptionGroup.Replication,
                Help = "Host and port of the primary that this server is a replica of. REPLICAOF changes it.",
            },
            new StringOption("primaryauth", static o => o.PrimaryAuth, static (o, v) => o.PrimaryAuth = v)
            {
                Aliases = ["masterauth"],
                Group = OptionGroup.Replication,
                Help = "Password for the primary.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Sensitive = true,
            },
            new StringOption("primaryuser", static o => o.PrimaryUser, static (o, v) => o.PrimaryUser = v)
            {
                Aliases = ["masteruser"],
                Group = OptionGroup.Replication,
                Help = "User to log in as at the primary; the default user when empty.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new BooleanOption("replica-serve-stale-data", static o => o.ReplicaServeStaleData, static (o, v) => o.ReplicaServeStaleData = v)
            {
                Aliases = ["slave-serve-stale-data"],
                Group = OptionGroup.Replication,
                Help = "Whether a replica answers with the data it has while it is not connected to its primary.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("replica-read-only", static o => o.ReplicaReadOnly, static (o, v) => o.ReplicaReadOnly = v)
            {
                Aliases = ["slave-read-only"],
                Group = OptionGroup.Replication,
                Help = "Whether clients of a replica may only read.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption(
                "replica-ignore-maxmemory",
                static o => o.ReplicaIgnoreMaxMemory,
                static (o, v) => o.ReplicaIgnoreMaxMemory = v
            )
            {
                Aliases = ["slave-ignore-maxmemory"],
                Group = OptionGroup.Replication,
                Help = "Whether a replica leaves eviction to its primary. Applies from the next change of the role on.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "replica-priority",
                static o => o.ReplicaPriority,
                static (o, v) => o.ReplicaPriority = (int)v,
                0,
                int.MaxValue
            )
            {
                Aliases = ["slave-priority"],
                Group = OptionGroup.Replication,
                Help = "Sentinel promotes the replica with the lowest number, and never one with 0.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "replica-max-lag",
                static o => o.ReplicaMaxLagSeconds,
                static (o, v) => o.ReplicaMaxLagSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help =
                    "Seconds that a replica's data may be old before health checks report that it is not ready; 0 does not ask. An idle primary is heard every repl-ping-replica-period.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.ReplicaMaxLag),
                Unit = TimeSpan.FromSeconds(1),
            },
            new BooleanOption("import-mode", static o => o.ImportMode, static (o, v) => o.ImportMode = v)
            {
                Group = OptionGroup.Replication,
                Help =
                    "While another server's data is copied in by clients (CLIENT IMPORT-SOURCE): keys that have expired are kept and hidden, and nothing is evicted.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("replica-announced", static o => o.ReplicaAnnounced, static (o, v) => o.ReplicaAnnounced = v)
            {
                Group = OptionGroup.Replication,
                Help = "Whether Sentinel tells clients of this replica.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("replica-announce-ip", static o => o.ReplicaAnnounceIp, static (o, v) => o.ReplicaAnnounceIp = v)
            {
                Aliases = ["slave-announce-ip"],
                Group = OptionGroup.Replication,
                Help = "Address that the primary shows for this replica; that of the connection when empty.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Check = static text => text.Length <= MaxAnnouncedAddress ? null : "the address is too long",
            },
            new IntegerOption(
                "replica-announce-port",
                static o => o.ReplicaAnnouncePort,
                static (o, v) => o.ReplicaAnnouncePort = (int)v,
                0,
                ushort.MaxValue
            )
            {
                Aliases = ["slave-announce-port"],
                Group = OptionGroup.Replication,
                Help = "Port that the primary shows for this replica; the one it listens on when 0.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<DisklessLoad>(
                "repl-diskless-load",
                static o => o.DisklessLoad,
                static (o, v) => o.DisklessLoad = v,
                [
                    ("on-empty-db", DisklessLoad.OnEmptyDb),
                    ("disabled", DisklessLoad.Disabled),
                    ("flush-before-load", DisklessLoad.FlushBeforeLoad),
                    ("swapdb", DisklessLoad.SwapDb),
                ]
            )
            {
                Group = OptionGroup.Replication,
                Help = "Whether a replica loads its primary's snapshot straight from the connection, or by way of a file.",
                Mutability = Mutability.Runtime,
            },
        ];

    private static OptionDescriptor[] OfPrimaries() =>
        [
            new IntegerOption(
                "repl-diskless-sync-delay",
                static o => o.DisklessSyncDelaySeconds,
                static (o, v) => o.DisklessSyncDelaySeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "Seconds that a replica waits for others that may receive the same snapshot.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.DisklessSyncDelay),
                Unit = TimeSpan.FromSeconds(1),
            },
            new IntegerOption(
                "repl-diskless-sync-max-replicas",
                static o => o.DisklessSyncMaxReplicas,
                static (o, v) => o.DisklessSyncMaxReplicas = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "Number of waiting replicas at which a snapshot begins at once; 0 always waits.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "repl-ping-replica-period",
                static o => o.ReplicationPingSeconds,
                static (o, v) => o.ReplicationPingSeconds = (int)v,
                1,
                int.MaxValue
            )
            {
                Aliases = ["repl-ping-slave-period"],
                Group = OptionGroup.Replication,
                Help = "Seconds between the PINGs that a primary sends its replicas.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.ReplicationPingPeriod),
                Unit = TimeSpan.FromSeconds(1),
            },
            new IntegerOption(
                "repl-timeout",
                static o => o.ReplicationTimeoutSeconds,
                static (o, v) => o.ReplicationTimeoutSeconds = (int)v,
                1,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "Seconds of silence after which primary or replica end the connection.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.ReplicationTimeout),
                Unit = TimeSpan.FromSeconds(1),
            },
            new IntegerOption(
                "shutdown-timeout",
                static o => o.ShutdownTimeoutSeconds,
                static (o, v) => o.ShutdownTimeoutSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "Seconds that a primary waits for its replicas to catch up before it ends; 0 ends it without them.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.ShutdownTimeout),
                Unit = TimeSpan.FromSeconds(1),
            },
            new MemoryOption(
                "repl-backlog-size",
                static o => o.ReplicationBacklogBytes,
                static (o, v) => o.ReplicationBacklogBytes = v,
                1,
                long.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "How much of the stream is kept for replicas that return.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "repl-backlog-ttl",
                static o => o.ReplicationBacklogTtlSeconds,
                static (o, v) => o.ReplicationBacklogTtlSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Replication,
                Help = "Seconds without replicas after which the replication backlog is freed; 0 keeps it.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.ReplicationBacklogTtl),
                Unit = TimeSpan.FromSeconds(1),
            },
            new MemoryOption(
                "repl-send-buffer-size",
                static o => o.ReplicationSendBufferBytes,
                static (o, v) => o.ReplicationSendBufferBytes = v,
                0,
                MaxSendBufferBytes
            )
            {
                Group = OptionGroup.Replication,
                Help = "How much is handed to the network at once for a replica; 0 adapts it to the connection and the number of replicas.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "min-replicas-to-write",
                static o => o.MinReplicasToWrite,
                static (o, v) => o.MinReplicasToWrite = (int)v,
                0,
                int.MaxValue
            )
            {
                Aliases = ["min-slaves-to-write"],
                Group = OptionGroup.Replication,
                Help = "Writes are rejected with fewer replicas that are up to date; 0 does not ask.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "min-replicas-max-lag",
                static o => o.MinReplicasMaxLagSeconds,
                static (o, v) => o.MinReplicasMaxLagSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Aliases = ["min-slaves-max-lag"],
                Group = OptionGroup.Replication,
                Help = "Seconds since its last acknowledgement up to which a replica counts as up to date.",
                Mutability = Mutability.Runtime,
                Property = nameof(GarnetOptions.MinReplicasMaxLag),
                Unit = TimeSpan.FromSeconds(1),
            },
            new BooleanOption("tls-replication", static o => o.TlsReplication, static (o, v) => o.TlsReplication = v)
            {
                Group = OptionGroup.Tls,
                Help =
                    "Whether connections to the primary and to targets of MIGRATE are encrypted, with the server's own certificate as the client's.",
                Mutability = Mutability.Runtime,
            },
        ];
}
