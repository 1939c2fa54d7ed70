// The settings of a server about replicas and primaries; see GarnetOptions.cs.

namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>Host and port of the primary that this server is a replica of, separated by a space; empty for a primary.</summary>
    public string ReplicaOf { get; set; } = "";

    /// <summary>Password for the primary; empty for none.</summary>
    public string PrimaryAuth { get; set; } = "";

    /// <summary>User to log in as at the primary; empty for its default user.</summary>
    public string PrimaryUser { get; set; } = "";

    /// <summary>Whether a replica answers with the data it has while it is not connected to its primary.</summary>
    public bool ReplicaServeStaleData { get; set; } = true;

    /// <summary>Whether clients of a replica may only read.</summary>
    public bool ReplicaReadOnly { get; set; } = true;

    /// <summary>Whether a replica leaves eviction to its primary.</summary>
    public bool ReplicaIgnoreMaxMemory { get; set; } = true;

    /// <summary>Sentinel promotes the replica with the lowest number, and never one with 0.</summary>
    public int ReplicaPriority { get; set; } = 100;

    /// <summary>Whether Sentinel tells clients of this replica.</summary>
    public bool ReplicaAnnounced { get; set; } = true;

    /// <summary>Address that the primary shows for this replica; empty for that of the connection.</summary>
    public string ReplicaAnnounceIp { get; set; } = "";

    /// <summary>Port that the primary shows for this replica; 0 for the one it listens on.</summary>
    public int ReplicaAnnouncePort { get; set; }

    /// <summary>Whether a replica loads its primary's snapshot straight from the connection.</summary>
    public DisklessLoad DisklessLoad { get; set; }

    /// <summary>How long a replica waits for others that may receive the same snapshot, rounded up to seconds.</summary>
    public TimeSpan DisklessSyncDelay
    {
        get => TimeSpan.FromSeconds(DisklessSyncDelaySeconds);
        set => DisklessSyncDelaySeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int DisklessSyncDelaySeconds { get; set; } = 5;

    /// <summary>Number of waiting replicas at which a snapshot begins at once; 0 always waits.</summary>
    public int DisklessSyncMaxReplicas { get; set; }

    /// <summary>Time between the PINGs that a primary sends its replicas, rounded up to seconds.</summary>
    public TimeSpan ReplicationPingPeriod
    {
        get => TimeSpan.FromSeconds(ReplicationPingSeconds);
        set => ReplicationPingSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int ReplicationPingSeconds { get; set; } = 10;

    /// <summary>Silence after which primary or replica end the connection, rounded up to seconds.</summary>
    public TimeSpan ReplicationTimeout
    {
        get => TimeSpan.FromSeconds(ReplicationTimeoutSeconds);
        set => ReplicationTimeoutSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int ReplicationTimeoutSeconds { get; set; } = 60;

    /// <summary>
    /// Whether another server's data is being copied in by clients, which send CLIENT IMPORT-SOURCE: keys that have expired are kept, and
    /// hidden from other clients, and nothing is evicted.
    /// </summary>
    public bool ImportMode { get; set; }

    /// <summary>
    /// How long a primary that is to end waits for its replicas to have everything, rounded up to seconds; zero to end without them.
    /// </summary>
    public TimeSpan ShutdownTimeout
    {
        get => TimeSpan.FromSeconds(ShutdownTimeoutSeconds);
        set => ShutdownTimeoutSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int ShutdownTimeoutSeconds { get; set; } = 10;

    /// <summary>How much of the stream is kept for replicas that return.</summary>
    public long ReplicationBacklogBytes { get; set; } = 10L << 20;

    /// <summary>Time after the last replica has left until the stream is not kept any more, rounded up to seconds; zero keeps it.</summary>
    public TimeSpan ReplicationBacklogTtl
    {
        get => TimeSpan.FromSeconds(ReplicationBacklogTtlSeconds);
        set => ReplicationBacklogTtlSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int ReplicationBacklogTtlSeconds { get; set; } = 3600;

    /// <summary>Size of what is handed to the network at once for a replica; 0 adapts it to the connection.</summary>
    public long ReplicationSendBufferBytes { get; set; }

    /// <summary>Writes are rejected with fewer replicas that are up to date; 0 does not ask.</summary>
    public int MinReplicasToWrite { get; set; }

    /// <summary>Time since its last acknowledgement up to which a replica counts as up to date, rounded up to seconds.</summary>
    public TimeSpan MinReplicasMaxLag
    {
        get => TimeSpan.FromSeconds(MinReplicasMaxLagSeconds);
        set => MinReplicasMaxLagSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int MinReplicasMaxLagSeconds { get; set; } = 10;

    /// <summary>
    /// How old a replica's data may be before the server counts as not ready for clients, rounded up to seconds; zero does not ask.
    /// </summary>
    public TimeSpan ReplicaMaxLag
    {
        get => TimeSpan.FromSeconds(ReplicaMaxLagSeconds);
        set => ReplicaMaxLagSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int ReplicaMaxLagSeconds { get; set; }

    /// <summary>Whether connections to the primary, and to targets of MIGRATE, are encrypted.</summary>
    public bool TlsReplication { get; set; }

    /// <summary>Maximum memory of the server; 0 means no limit.</summary>
    public long MaxMemoryBytes { get; set; }

    /// <summary>The eviction policy applied when <see cref="MaxMemoryBytes"/> is reached.</summary>
    public EvictionPolicy MaxMemoryPolicy { get; set; } = EvictionPolicy.NoEviction;
}
