// The settings of one server, as plain values. Filled by one thread before the server starts; a running server publishes
// it through ServerConfiguration and never changes a published instance, so that readers need no lock.
using System.Collections.Immutable;
using Garnet.Persistence.AppendLog;
using Garnet.Store;

namespace Garnet;

/// <summary>
/// Every setting of a server with its default. On the command line, in the environment, in a configuration file and for CONFIG SET each
/// has the name that <c>garnet --help all</c> lists, with its range.
/// </summary>
public sealed class GarnetOptions
{
    /// <summary>The zone of the server, reported to clients that prefer a near one; empty for none.</summary>
    public string AvailabilityZone { get; set; } = "";

    /// <summary>TCP port, 0 to 65535; 0 opens no TCP endpoint.</summary>
    public int Port { get; set; } = 6379;

    /// <summary>
    /// Addresses to listen on; <c>*</c> is every IPv4 address, <c>::*</c> every IPv6 address, and a leading <c>-</c> tolerates an address
    /// that this machine lacks.
    /// </summary>
    public IReadOnlyList<string> Bind { get; set; } = ["*", "-::*"];

    /// <summary>Path of a Unix socket to listen on; empty for none. A relative path is relative to <see cref="Dir"/>.</summary>
    public string UnixSocket { get; set; } = "";

    /// <summary>File mode of the Unix socket; 0 leaves it to the process's umask.</summary>
    public int UnixSocketPermissions { get; set; }

    /// <summary>Group that owns the Unix socket's file; empty leaves it to the system. Not on Windows.</summary>
    public string UnixSocketGroup { get; set; } = "";

    /// <summary>Length of the queue of connections that the system has accepted and the server has not.</summary>
    public int TcpBacklog { get; set; } = 511;

    /// <summary>Time between probes of a silent peer, rounded up to seconds; zero sends none.</summary>
    public TimeSpan TcpKeepAlive
    {
        get => TimeSpan.FromSeconds(TcpKeepAliveSeconds);
        set => TcpKeepAliveSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TcpKeepAliveSeconds { get; set; } = 300;

    /// <summary>The transport of connections.</summary>
    public TransportKind Transport { get; set; } = HostSystem.IsLinux ? TransportKind.Epoll : TransportKind.Sockets;

    /// <summary>
    /// Threads that read, execute and reply, or queues of the thread pool with the sockets transport; 0 leaves the number to the transport.
    /// </summary>
    public int IoThreads { get; set; }

    /// <summary>Commands of a pipeline whose keys are prefetched together before they run; 0 or 1 disables prefetching.</summary>
    public int PrefetchBatchMaxSize { get; set; } = 16;

    /// <summary>Minimum number of threads of the thread pool; 0 keeps the runtime's.</summary>
    public int ThreadPoolMinThreads { get; set; }

    /// <summary>Maximum number of threads of the thread pool; 0 keeps the runtime's.</summary>
    public int ThreadPoolMaxThreads { get; set; }

    /// <summary>Minimum number of I/O completion threads; 0 keeps the runtime's.</summary>
    public int ThreadPoolMinIOCompletionThreads { get; set; }

    /// <summary>Maximum number of I/O completion threads; 0 keeps the runtime's.</summary>
    public int ThreadPoolMaxIOCompletionThreads { get; set; }

    /// <summary>TCP port for TLS clients, 0 to 65535, on the addresses of <see cref="Bind"/>; 0 opens none.</summary>
    public int TlsPort { get; set; }

    /// <summary>
    /// File with the server's certificate and its chain, in PEM form. A relative path is relative to <see cref="Dir"/>, as in all options
    /// of TLS.
    /// </summary>
    public string TlsCertFile { get; set; } = "";

    /// <summary>File with the private key of <see cref="TlsCertFile"/>, in PEM form.</summary>
    public string TlsKeyFile { get; set; } = "";

    /// <summary>Password of <see cref="TlsKeyFile"/> or <see cref="TlsPfxFile"/>; empty for none.</summary>
    public string TlsKeyPassword { get; set; } = "";

    /// <summary>
    /// File with certificate, chain and private key as PKCS #12, instead of <see cref="TlsCertFile"/> and <see cref="TlsKeyFile"/>.
    /// </summary>
    public string TlsPfxFile { get; set; } = "";

    /// <summary>File with the certificates of the authorities trusted for client certificates, in PEM form.</summary>
    public string TlsCaCertFile { get; set; } = "";

    /// <summary>Folder of files with such certificates.</summary>
    public string TlsCaCertDir { get; set; } = "";

    /// <summary>Whether clients present certificates.</summary>
    public ClientCertificates TlsAuthClients { get; set; }

    /// <summary>Which field of a client certificate names the user to log in.</summary>
    public CertificateField TlsAuthClientsUser { get; set; }

    /// <summary>Enabled TLS versions, such as <c>TLSv1.2 TLSv1.3</c>; empty for both of these.</summary>
    public string TlsProtocols { get; set; } = "";

    /// <summary>
    /// Cipher suites of TLS 1.2 in order of preference, by OpenSSL's names and separated by <c>:</c>; empty for those of the system's
    /// library.
    /// </summary>
    public string TlsCiphers { get; set; } = "";

    /// <summary>As <see cref="TlsCiphers"/>, for TLS 1.3.</summary>
    public string TlsCipherSuites { get; set; } = "";

    /// <summary>Whether a client may resume an earlier TLS session instead of a full handshake.</summary>
    public bool TlsSessionCaching { get; set; } = true;

    /// <summary>
    /// Time between checks whether the certificate and key files have changed, rounded up to seconds; zero disables them.
    /// </summary>
    public TimeSpan TlsAutoReloadInterval
    {
        get => TimeSpan.FromSeconds(TlsAutoReloadIntervalSeconds);
        set => TlsAutoReloadIntervalSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TlsAutoReloadIntervalSeconds { get; set; } = 10;

    /// <summary>Timeout of a handshake, rounded up to milliseconds.</summary>
    public TimeSpan TlsHandshakeTimeout
    {
        get => TimeSpan.FromMilliseconds(TlsHandshakeTimeoutMs);
        set => TlsHandshakeTimeoutMs = (int)Units(value, TimeSpan.TicksPerMillisecond, int.MaxValue);
    }

    internal int TlsHandshakeTimeoutMs { get; set; } = 10_000;

    /// <summary>Bytes encrypted at once; a TLS record holds 16 KiB.</summary>
    public long TlsWriteBytes { get; set; } = 16 * 1024;

    /// <summary>Port of the HTTP endpoint for metrics and health, 0 to 65535; 0 opens none.</summary>
    public int MetricsPort { get; set; }

    /// <summary>Addresses of the HTTP endpoint for metrics and health, written as in <see cref="Bind"/>.</summary>
    public IReadOnlyList<string> MetricsBind { get; set; } = ["127.0.0.1"];

    /// <summary>Version of the protocol, 2 or 3, in which a client is answered until it asks for another with HELLO.</summary>
    public int ClientDefaultResp { get; set; } = 2;

    /// <summary>
    /// Whether HELLO, LOLWUT and errors about loading and saving name the server Redis, for clients that look for that name.
    /// </summary>
    public bool ExtendedRedisCompatibility { get; set; }

    /// <summary>Maximum number of connections; further ones get an error and are closed.</summary>
    public long MaxClients { get; set; } = 10_000;

    /// <summary>Time after which an idle client is disconnected (timeout), rounded up to seconds; zero never.</summary>
    public TimeSpan IdleTimeout
    {
        get => TimeSpan.FromSeconds(TimeoutSeconds);
        set => TimeoutSeconds = (int)Units(value, TimeSpan.TicksPerSecond, int.MaxValue);
    }

    internal int TimeoutSeconds { get; set; }

    /// <summary>Rejects clients from other machines while the default user has no password.</summary>
    public bool ProtectedMode { get; set; } = true;

    /// <summary>Password of the default user; empty for none.</summary>
    public string Password { get; set; } = "";

    /// <summary>
    /// Users by name, with their rules as ACL SETUSER takes them: <c>on &gt;secret ~app:* +@all -@dangerous</c>. They may not be given
    /// together with <see cref="AclFile"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string> Users { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// Roles by name, with their rules as ACL SETROLE takes them: <c>~app:* +@read</c>. Users have them by <c>role=name</c>.
    /// </summary>
    public IReadOnlyDictionary<string, string> Roles { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// Commands that clients call by another name, or not at all if it is empty, by the commands' own names. Users' rules, replicas, the
    /// log and code in the process use the own names.
    /// </summary>
    public IReadOnlyDictionary<string, string> RenamedCommands { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>
    /// Whether the server refuses to start where it would otherwise only warn: of a setting that has no effect, or of an environment
    /// variable that begins as its own do but is none of them.
    /// </summary>
    public bool Strict { get; set; }

    /// <summary>
    /// The file of the users; empty for none. It must exist. A relative path is relative to <see cref="Dir"/>.
    /// </summary>
    public string AclFile { get; set; } = "";

    internal string AclFilePath => AclFile.Length == 0 ? "" : Path.GetFullPath(Path.Combine(Dir, AclFile));

    /// <summary>Maximum number of entries of ACL LOG.</summary>
    public int AclLogMaxLength { get; set; } = 128;

    /// <summary>
    /// Maximum number of keys for which the server remembers which clients have read them; beyond it clients are notified that some of them
    /// have changed. 0 means no limit.
    /// </summary>
    public long TrackingTableMaxKeys { get; set; } = 1_000_000;

    /// <summary>The channels that a new user may use.</summary>
    public AclPubSubDefault AclPubSubDefault { get; set; }

    /// <summary>
    /// The events of keys that are published, as letters: <c>K</c> to the channels of the keys, <c>E</c> to those of the events,
    /// <c>g$lshzxetd</c> or <c>A</c> the kinds of events, <c>m</c> missed keys, <c>n</c> new keys. Empty for none.
    /// </summary>
    public string NotifyKeyspaceEvents { get; set; } = "";

    /// <summary>Maximum size of one unfinished request of a client.</summary>
    public long ClientQueryBufferLimitBytes { get; set; } = 1L << 30;

    /// <summary>
    /// Maximum total size of the unfinished requests of all unauthenticated clients (maxmemory-unauthenticated-clients); 0 for no limit.
    /// </summary>
    public long MaxMemoryUnauthenticatedClientsBytes { get; set; } = 16L << 20;

    /// <summary>Size of unsent replies at which a client is disconnected, for each client class.</summary>
    public OutputBufferLimits ClientOutputBufferLimits { get; set; } = OutputBufferLimits.Default;

    /// <summary>
    /// Maximum memory of all clients together before the largest are disconnected; negative for a percentage of
    /// <see cref="MaxMemoryBytes"/>, 0 for no limit.
    /// </summary>
    public long MaxMemoryClientsBytes { get; set; }

    /// <summary>Maximum length of a single argument of a request, in bytes.</summary>
    public long ProtoMaxBulkLengthBytes { get; set; } = 512L << 20;

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

    /// <summary>Keys sampled for each eviction.</summary>
    public int MaxMemorySamples { get; set; } = 5;

    /// <summary>
    /// How long a single command may evict: up to 10 in steps of 50 microseconds, each further step adds 15 %; 100 means no limit.
    /// </summary>
    public int MaxMemoryEvictionTenacity { get; set; } = 10;

    /// <summary>How quickly the increments of a key's frequency become rarer.</summary>
    public int LfuLogFactor { get; set; } = 10;

    /// <summary>Time after which keys' frequencies are decremented, rounded up to minutes; zero for never.</summary>
    public TimeSpan LfuDecayTime
    {
        get => TimeSpan.FromMinutes(LfuDecayTimeMinutes);
        set => LfuDecayTimeMinutes = (int)Units(value, TimeSpan.TicksPerMinute, int.MaxValue);
    }

    internal int LfuDecayTimeMinutes { get; set; } = 1;

    /// <summary>Maximum size in bytes of a HyperLogLog in its sparse form.</summary>
    public long HllSparseMaxBytes { get; set; } = 3000;

    /// <summary>Maximum number of fields of a hash with the encoding listpack.</summary>
    public long HashMaxListPackEntries { get; set; } = 512;

    /// <summary>Maximum field or value length, in bytes, of a hash with the encoding listpack.</summary>
    public long HashMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum number of elements of a list with the encoding listpack; -1 to -5 mean 4, 8, 16, 32 and 64 KiB.</summary>
    public int ListMaxListPackSize { get; set; } = -2;

    /// <summary>Maximum number of members of a set with the encoding intset.</summary>
    public long SetMaxIntSetEntries { get; set; } = 512;

    /// <summary>Maximum number of members of a set with the encoding listpack.</summary>
    public long SetMaxListPackEntries { get; set; } = 128;

    /// <summary>Maximum member length, in bytes, of a set with the encoding listpack.</summary>
    public long SetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum number of members of a sorted set with the encoding listpack.</summary>
    public long SortedSetMaxListPackEntries { get; set; } = 128;

    /// <summary>Maximum member length, in bytes, of a sorted set with the encoding listpack.</summary>
    public long SortedSetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Maximum size of a stream node in bytes; 0 for no limit.</summary>
    public long StreamNodeMaxBytes { get; set; } = 4096;

    /// <summary>Maximum number of entries of a stream node; 0 for no limit.</summary>
    public long StreamNodeMaxEntries { get; set; } = 100;

    /// <summary>
    /// Text of which the seed of the hash tables is made, so that servers with the same keys return them in the same order; at most 256
    /// characters. Empty draws a seed at each start. Who knows it can choose keys that collide.
    /// </summary>
    public string HashSeed { get; set; } = "";

    /// <summary>Number of logical databases.</summary>
    public int Databases { get; set; } = 16;

    /// <summary>Directory that relative paths of the other options are relative to.</summary>
    public string Dir { get; set; } = Environment.CurrentDirectory;

    /// <summary>Name of the snapshot file in <see cref="Dir"/>.</summary>
    public string DbFileName { get; set; } = "dump.rdb";

    /// <summary>
    /// When a snapshot is saved automatically; with any entry one is also saved when the server ends. Empty by default, so that a server
    /// inside an application writes no files unasked.
    /// </summary>
    public IReadOnlyList<SavePoint> Save { get; set; } = [];

    /// <summary>
    /// Whether strings in snapshots are compressed where that makes them shorter. Off by default: writing bytes costs a small part of the
    /// processor time of compressing them, and clients pay for it.
    /// </summary>
    public bool RdbCompression { get; set; }

    /// <summary>Whether snapshots end with a checksum, and a loaded one's is verified.</summary>
    public bool RdbChecksum { get; set; } = true;

    /// <summary>Which versions of payloads RESTORE accepts.</summary>
    public RdbVersionCheck RdbVersionCheck { get; set; }

    /// <summary>Whether writes are rejected after a scheduled or requested snapshot failed, as long as there is a schedule.</summary>
    public bool StopWritesOnBgsaveError { get; set; } = true;

    /// <summary>
    /// The pace of a snapshot: milliseconds between pieces of a megabyte, 0 to yield only, -1 to save as fast as possible; null
    /// (<c>auto</c>) adapts to the foreground load: slow while clients are busy, fast when there is no load. May change while a snapshot is
    /// being saved.
    /// </summary>
    public int? CheckpointThrottleFlushDelayMs { get; set; }

    /// <summary>Whether writes are logged to disk, so that a restart recovers them.</summary>
    public bool AppendOnly { get; set; }

    /// <summary>When the log is synced to disk.</summary>
    public AppendFsync AppendFsync { get; set; } = AppendFsync.EverySecond;

    /// <summary>Prefix of the names of the log's files.</summary>
    public string AppendFileName { get; set; } = "appendonly.aof";

    /// <summary>Folder of the log's files in <see cref="Dir"/>.</summary>
    public string AppendDirName { get; set; } = "appendonlydir";

    /// <summary>
    /// Whether a log that lost its end, for example by a power failure, is read up to that point; otherwise the server does not start.
    /// </summary>
    public bool AofLoadTruncated { get; set; } = true;

    /// <summary>Percentage of growth of log and snapshot together after which they are rewritten; 0 never.</summary>
    public int AutoAofRewritePercentage { get; set; } = 100;

    /// <summary>Minimum size of log and snapshot for a rewrite because of growth.</summary>
    public long AutoAofRewriteMinSizeBytes { get; set; } = 64L << 20;

    /// <summary>Whether the log is not synced each second during a rewrite.</summary>
    public bool NoAppendFsyncOnRewrite { get; set; }

    /// <summary>How SIGINT (Ctrl+C) ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigInt { get; set; }

    /// <summary>How SIGTERM ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigTerm { get; set; }

    /// <summary>Who may change <see cref="Dir"/> and <see cref="DbFileName"/> by CONFIG SET.</summary>
    public CommandAccess EnableProtectedConfigs { get; set; } = CommandAccess.No;

    /// <summary>Who may use DEBUG.</summary>
    public CommandAccess EnableDebugCommand { get; set; } = CommandAccess.No;

    /// <summary>
    /// Who may use MODULE LOAD, LOADEX and UNLOAD. A module runs with all rights of the server's process, so whoever may load one needs no
    /// other right.
    /// </summary>
    public CommandAccess EnableModuleCommand { get; set; } = CommandAccess.No;

    /// <summary>
    /// How many events of keys may wait for a module that is slower than the clients that cause them; further ones are dropped and counted.
    /// </summary>
    public int ModuleMaxQueue { get; set; } = 1_000_000;

    /// <summary>How much memory such events may take, for each module.</summary>
    public long ModuleMaxQueueBytes { get; set; } = 256L << 20;

    /// <summary>What becomes of values whose type no module has added: in files, in payloads of RESTORE, and from a primary.</summary>
    public MissingTypes ModuleMissingTypes { get; set; }

    /// <summary>
    /// Modules that are loaded before the server starts, each as the path of an assembly and its arguments, separated by spaces and quoted
    /// where they contain some.
    /// </summary>
    public IReadOnlyList<string> Modules { get; set; } = [];

    /// <summary>Values of modules' options by name, as in <c>limits.burst</c>.</summary>
    public IReadOnlyDictionary<string, string> ModuleSettings { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>The folder that modules are loaded from, to which paths are relative; empty for any.</summary>
    public string ModulesDir { get; set; } = "";

    /// <summary>
    /// Commands that take at least this long enter the slow log (commandlog-execution-slower-than), rounded up to microseconds; zero logs
    /// all, null none.
    /// </summary>
    public TimeSpan? SlowLogThreshold
    {
        get => SlowerThanMicroseconds < 0 ? null : Span(SlowerThanMicroseconds, TimeSpan.TicksPerMicrosecond);
        set => SlowerThanMicroseconds = value is { } time ? Units(time, TimeSpan.TicksPerMicrosecond, long.MaxValue) : -1;
    }

    internal long SlowerThanMicroseconds { get; set; } = 10_000;

    /// <summary>Maximum number of entries in the slow log.</summary>
    public long SlowLogMaxLength { get; set; } = 128;

    /// <summary>Requests of at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeRequestBytes { get; set; } = 1L << 20;

    /// <summary>Maximum number of entries in the log of large requests.</summary>
    public long LargeRequestLogMaxLength { get; set; } = 128;

    /// <summary>Commands with a reply of at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeReplyBytes { get; set; } = 1L << 20;

    /// <summary>Maximum number of entries in the log of large replies.</summary>
    public long LargeReplyLogMaxLength { get; set; } = 128;

    /// <summary>Commands that take at least this long are latency events, rounded up to milliseconds; zero records none.</summary>
    public TimeSpan LatencyMonitorThreshold
    {
        get => Span(LatencyMonitorThresholdMs, TimeSpan.TicksPerMillisecond);
        set => LatencyMonitorThresholdMs = Units(value, TimeSpan.TicksPerMillisecond, long.MaxValue);
    }

    internal long LatencyMonitorThresholdMs { get; set; }

    /// <summary>How long a script may run before others get BUSY and SCRIPT KILL can end it; with zero, they wait.</summary>
    public TimeSpan BusyReplyThreshold
    {
        get => Span(BusyReplyThresholdMs, TimeSpan.TicksPerMillisecond);
        set => BusyReplyThresholdMs = Units(value, TimeSpan.TicksPerMillisecond, long.MaxValue);
    }

    internal long BusyReplyThresholdMs { get; set; } = 5000;

    /// <summary>What the values of one script may take, in bytes; beyond that the script fails.</summary>
    public long ScriptMemoryLimitBytes { get; set; } = 256L << 20;

    /// <summary>What all libraries of functions may keep together, in bytes, including the values of the function that runs.</summary>
    public long FunctionMemoryLimitBytes { get; set; } = 256L << 20;

    /// <summary>How long a client's library may run while it is being loaded; with zero, it is not limited.</summary>
    public TimeSpan FunctionLoadTimeout
    {
        get => Span(FunctionLoadTimeoutMs, TimeSpan.TicksPerMillisecond);
        set => FunctionLoadTimeoutMs = Units(value, TimeSpan.TicksPerMillisecond, int.MaxValue);
    }

    internal long FunctionLoadTimeoutMs { get; set; } = 500;

    /// <summary>How many scripts that clients sent with EVAL are kept; the least recently used ones are dropped.</summary>
    public int MaxCachedScripts { get; set; } = 500;

    /// <summary>
    /// Whether scripts may call getfenv, setfenv and newproxy, with which one script can change what another one sees.
    /// </summary>
    public bool LuaEnableInsecureApi { get; set; }

    /// <summary>
    /// Files with libraries of functions (FUNCTION LOAD), loaded at the start after the data, each in place of a library with its name.
    /// A relative path is relative to the current directory. A replica does not load them.
    /// </summary>
    public IReadOnlyList<string> FunctionFiles { get; set; } = [];

    /// <summary>The same as texts, for an application that has them in its code or its resources; loaded after those of files.</summary>
    public IReadOnlyList<string> FunctionLibraries { get; set; } = [];

    /// <summary>Records the latencies of each command's calls.</summary>
    public bool LatencyTracking { get; set; } = true;

    /// <summary>The percentiles of each command's latency shown by INFO.</summary>
    public IReadOnlyList<double> LatencyTrackingInfoPercentiles { get; set; } = [50, 99, 99.9];

    /// <summary>Lowest level of messages that are logged.</summary>
    public ServerLogLevel LogLevel { get; set; } = ServerLogLevel.Notice;

    /// <summary>Log file; empty for the console. A relative path is relative to <see cref="Dir"/>.</summary>
    public string LogFile { get; set; } = "";

    /// <summary>Format of the log's lines.</summary>
    public LogFormat LogFormat { get; set; }

    /// <summary>Format of times in the log.</summary>
    public LogTimestampFormat LogTimestampFormat { get; set; }

    /// <summary>Whether messages are also sent to the system's log (syslog). Only the stand-alone server logs by itself.</summary>
    public bool SyslogEnabled { get; set; }

    /// <summary>The program's name in the system's log.</summary>
    public string SyslogIdent { get; set; } = "garnet";

    /// <summary>Facility of messages in the system's log.</summary>
    public SyslogFacility SyslogFacility { get; set; } = SyslogFacility.Local0;

    /// <summary>Whether the stand-alone server tells a service manager when it is ready and when it ends.</summary>
    public Supervision Supervised { get; set; } = Supervision.Auto;

    /// <summary>File into which the stand-alone server writes its process ID while it runs; empty for none.</summary>
    public string PidFile { get; set; } = "";

    /// <summary>Whether and how the stand-alone server sets what Linux considers when memory runs out.</summary>
    public OomScoreAdjustment OomScoreAdj { get; set; }

    /// <summary>
    /// Adjustments of a primary, a replica and a saving child process, each -2000 to 2000. There are no child processes, so that the third
    /// is not used.
    /// </summary>
    public IReadOnlyList<int> OomScoreAdjValues { get; set; } = [0, 200, 800];

    /// <summary>Values set for Valkey's options without an effect here, by name.</summary>
    internal ImmutableDictionary<string, string> Ignored { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>A copy that can be changed independently; values of reference type are themselves immutable.</summary>
    public GarnetOptions Clone() => (GarnetOptions)MemberwiseClone();

    // The server counts in its own units, which are also those of the command line; a part of one counts as one.
    private static long Units(TimeSpan value, long ticks, long max)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
        (long whole, long rest) = Math.DivRem(value.Ticks, ticks);
        return Math.Min(rest > 0 ? whole + 1 : whole, max);
    }

    private static TimeSpan Span(long units, long ticks) =>
        units > TimeSpan.MaxValue.Ticks / ticks ? TimeSpan.MaxValue : TimeSpan.FromTicks(units * ticks);
}
