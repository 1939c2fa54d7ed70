// The settings of one server, as plain values. Filled by one thread before the server starts; a running server publishes
// it through ServerConfiguration and never changes a published instance, so that readers need no lock.
using System.Collections.Immutable;
using Garnet.Persistence.AppendLog;
using Garnet.Store;
using Garnet.Store.Eviction;

namespace Garnet.Server.Configuration;

/// <summary>
/// Every setting of a server with its default. <see cref="OptionTable"/> gives each property its name, range and help text,
/// and fills it from the command line, the environment, a configuration file and CONFIG SET.
/// </summary>
public sealed class GarnetOptions
{
    /// <summary>Where the server runs, as clients are told that choose a near one; empty when that is not to be told.</summary>
    public string AvailabilityZone { get; set; } = "";

    /// <summary>TCP port, 0 to 65535; 0 opens no TCP endpoint.</summary>
    public int Port { get; set; } = 6379;

    /// <summary>
    /// Addresses to listen on; <c>*</c> is every IPv4 address, <c>::*</c> every IPv6 address, and a leading <c>-</c> forgives an address
    /// that this machine lacks.
    /// </summary>
    public IReadOnlyList<string> Bind { get; set; } = ["*", "-::*"];

    /// <summary>Path of a Unix socket to listen on; empty for none. A relative path starts at <see cref="Dir"/>.</summary>
    public string UnixSocket { get; set; } = "";

    /// <summary>File mode of the Unix socket; 0 leaves what the process's umask gives.</summary>
    public int UnixSocketPermissions { get; set; }

    /// <summary>Length of the queue of connections that the system has accepted and the server has not.</summary>
    public int TcpBacklog { get; set; } = 511;

    /// <summary>Seconds between probes of a silent peer; 0 sends none.</summary>
    public int TcpKeepAliveSeconds { get; set; } = 300;

    /// <summary>Where connections' bytes come from.</summary>
    public TransportKind Transport { get; set; } = HostSystem.IsLinux ? TransportKind.Epoll : TransportKind.Sockets;

    /// <summary>
    /// Threads that read, execute and reply, or with the sockets transport queues of the thread pool that do; 0 leaves the number to the
    /// transport.
    /// </summary>
    public int IoThreads { get; set; }

    /// <summary>Commands of a pipeline whose keys are fetched into the cache together before they run; 0 or 1 fetches none ahead.</summary>
    public int PrefetchBatchMaxSize { get; set; } = 16;

    /// <summary>Least number of threads of the thread pool; 0 leaves the runtime's.</summary>
    public int ThreadPoolMinThreads { get; set; }

    /// <summary>Greatest number of threads of the thread pool; 0 leaves the runtime's.</summary>
    public int ThreadPoolMaxThreads { get; set; }

    /// <summary>Least number of I/O completion threads; 0 leaves the runtime's.</summary>
    public int ThreadPoolMinIOCompletionThreads { get; set; }

    /// <summary>Greatest number of I/O completion threads; 0 leaves the runtime's.</summary>
    public int ThreadPoolMaxIOCompletionThreads { get; set; }

    /// <summary>TCP port for clients that speak TLS, 0 to 65535, on the addresses of <see cref="Bind"/>; 0 opens none.</summary>
    public int TlsPort { get; set; }

    /// <summary>
    /// File with the server's certificate and those between it and its authority, in PEM form. A relative path starts at <see cref="Dir"/>,
    /// as in all options of TLS.
    /// </summary>
    public string TlsCertFile { get; set; } = "";

    /// <summary>File with the private key of <see cref="TlsCertFile"/>, in PEM form.</summary>
    public string TlsKeyFile { get; set; } = "";

    /// <summary>Password of <see cref="TlsKeyFile"/> or <see cref="TlsPfxFile"/>; empty for none.</summary>
    public string TlsKeyFilePass { get; set; } = "";

    /// <summary>
    /// File with certificate, chain and private key as PKCS #12, instead of <see cref="TlsCertFile"/> and <see cref="TlsKeyFile"/>.
    /// </summary>
    public string TlsPfxFile { get; set; } = "";

    /// <summary>File with the certificates of the authorities that vouch for clients, in PEM form.</summary>
    public string TlsCaCertFile { get; set; } = "";

    /// <summary>Folder of files with such certificates.</summary>
    public string TlsCaCertDir { get; set; } = "";

    /// <summary>Whether clients show certificates.</summary>
    public ClientCertificates TlsAuthClients { get; set; }

    /// <summary>Where a client's certificate names the user that it is let in as.</summary>
    public CertificateField TlsAuthClientsUser { get; set; }

    /// <summary>Versions of TLS that are spoken, such as <c>TLSv1.2 TLSv1.3</c>; empty for both of these.</summary>
    public string TlsProtocols { get; set; } = "";

    /// <summary>
    /// Cipher suites of TLS 1.2 in the order of preference, by OpenSSL's names and joined by <c>:</c>; empty for those of the system's
    /// library.
    /// </summary>
    public string TlsCiphers { get; set; } = "";

    /// <summary>As <see cref="TlsCiphers"/>, of TLS 1.3.</summary>
    public string TlsCipherSuites { get; set; } = "";

    /// <summary>Whether a client may take up an earlier TLS session instead of shaking hands in full.</summary>
    public bool TlsSessionCaching { get; set; } = true;

    /// <summary>Seconds between looks whether the files of certificates and keys have changed; 0 never looks.</summary>
    public int TlsAutoReloadIntervalSeconds { get; set; } = 10;

    /// <summary>Milliseconds a client has to shake hands.</summary>
    public int TlsHandshakeTimeoutMs { get; set; } = 10_000;

    /// <summary>Bytes that are encrypted at once; a record of TLS holds 16 KiB.</summary>
    public long TlsWriteBytes { get; set; } = 16 * 1024;

    /// <summary>Port of the HTTP endpoint with metrics and health, 0 to 65535; 0 opens none.</summary>
    public int MetricsPort { get; set; }

    /// <summary>Addresses of the HTTP endpoint with metrics and health, written as in <see cref="Bind"/>.</summary>
    public IReadOnlyList<string> MetricsBind { get; set; } = ["127.0.0.1"];

    /// <summary>Connections served at once; one more is told so and closed.</summary>
    public long MaxClients { get; set; } = 10_000;

    /// <summary>Seconds after which an idle client is disconnected; 0 never.</summary>
    public int TimeoutSeconds { get; set; }

    /// <summary>Refuses clients from other machines while the default user has no password.</summary>
    public bool ProtectedMode { get; set; } = true;

    /// <summary>Password of the default user; empty for none.</summary>
    public string RequirePass { get; set; } = "";

    /// <summary>Bytes that one unfinished request of a client may take.</summary>
    public long ClientQueryBufferLimitBytes { get; set; } = 1L << 30;

    /// <summary>
    /// Bytes that the unfinished requests of all clients that have yet to log in may take together (maxmemory-unauthenticated-clients); 0
    /// for no limit.
    /// </summary>
    public long MaxMemoryUnauthenticatedClientsBytes { get; set; } = 16L << 20;

    /// <summary>Bytes of unsent replies at which a client is disconnected, for each class of clients.</summary>
    public OutputBufferLimits ClientOutputBufferLimits { get; set; } = OutputBufferLimits.Default;

    /// <summary>
    /// Bytes that all clients together may take before the largest are disconnected; negative for a percentage of
    /// <see cref="MaxMemoryBytes"/>, 0 for no limit.
    /// </summary>
    public long MaxMemoryClientsBytes { get; set; }

    /// <summary>Longest single argument of a request, in bytes.</summary>
    public long ProtoMaxBulkLengthBytes { get; set; } = 512L << 20;

    /// <summary>Bytes the server may take; 0 means no limit.</summary>
    public long MaxMemoryBytes { get; set; }

    /// <summary>What happens to writes when <see cref="MaxMemoryBytes"/> is reached.</summary>
    public EvictionPolicy MaxMemoryPolicy { get; set; } = EvictionPolicy.NoEviction;

    /// <summary>Keys looked at for each one that is evicted.</summary>
    public int MaxMemorySamples { get; set; } = 5;

    /// <summary>
    /// How long a single command may evict: up to 10 in steps of 50 microseconds, each further one 15 % more; 100 has no bound.
    /// </summary>
    public int MaxMemoryEvictionTenacity { get; set; } = 10;

    /// <summary>How much rarer each further step of a key's frequency is than the one before.</summary>
    public int LfuLogFactor { get; set; } = 10;

    /// <summary>Minutes after which keys' frequencies sink by one; 0 for never.</summary>
    public int LfuDecayTimeMinutes { get; set; } = 1;

    /// <summary>Largest HyperLogLog, in bytes, that keeps its sparse form.</summary>
    public long HllSparseMaxBytes { get; set; } = 3000;

    /// <summary>Most fields of a hash that reports the encoding listpack.</summary>
    public long HashMaxListPackEntries { get; set; } = 512;

    /// <summary>Longest field or value, in bytes, of a hash that reports the encoding listpack.</summary>
    public long HashMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Most elements of a list that reports the encoding listpack; -1 to -5 stand for 4, 8, 16, 32 and 64 KiB.</summary>
    public int ListMaxListPackSize { get; set; } = -2;

    /// <summary>Most members of a set that reports the encoding intset.</summary>
    public long SetMaxIntSetEntries { get; set; } = 512;

    /// <summary>Most members of a set that reports the encoding listpack.</summary>
    public long SetMaxListPackEntries { get; set; } = 128;

    /// <summary>Longest member, in bytes, of a set that reports the encoding listpack.</summary>
    public long SetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Most members of a sorted set that reports the encoding listpack.</summary>
    public long SortedSetMaxListPackEntries { get; set; } = 128;

    /// <summary>Longest member, in bytes, of a sorted set that reports the encoding listpack.</summary>
    public long SortedSetMaxListPackValueBytes { get; set; } = 64;

    /// <summary>Most bytes of a node of a stream; 0 for no limit.</summary>
    public long StreamNodeMaxBytes { get; set; } = 4096;

    /// <summary>Most entries of a node of a stream; 0 for no limit.</summary>
    public long StreamNodeMaxEntries { get; set; } = 100;

    /// <summary>Number of logical databases.</summary>
    public int Databases { get; set; } = 16;

    /// <summary>Directory that relative paths of the other options start from.</summary>
    public string Dir { get; set; } = Environment.CurrentDirectory;

    /// <summary>Name of the snapshot's file in <see cref="Dir"/>.</summary>
    public string DbFileName { get; set; } = "dump.rdb";

    /// <summary>
    /// When a snapshot is saved without being asked for; with any entry one is saved at the end, too. Empty by default, so that a server
    /// inside an application writes no files unasked.
    /// </summary>
    public IReadOnlyList<SavePoint> Save { get; set; } = [];

    /// <summary>
    /// Whether strings in snapshots are compressed where that makes them shorter. Off by default: writing bytes costs the processor a small
    /// part of what compressing them does, and clients pay for it.
    /// </summary>
    public bool RdbCompression { get; set; }

    /// <summary>Whether snapshots end with a checksum, and a loaded one's is verified.</summary>
    public bool RdbChecksum { get; set; } = true;

    /// <summary>Which versions of payloads RESTORE takes.</summary>
    public RdbVersionCheck RdbVersionCheck { get; set; }

    /// <summary>Whether writes are refused after a scheduled or asked-for snapshot failed, as long as there is a schedule.</summary>
    public bool StopWritesOnBgsaveError { get; set; } = true;

    /// <summary>
    /// The pace of a snapshot: milliseconds between pieces of a megabyte, 0 to let others go first only, -1 to save as fast as possible;
    /// null (<c>auto</c>) follows the foreground: slowly beside busy clients, fast when nobody is there. May change while one is being
    /// saved.
    /// </summary>
    public int? CheckpointThrottleFlushDelayMs { get; set; }

    /// <summary>Whether writes are logged to disk, so that a start finds them again.</summary>
    public bool AppendOnly { get; set; }

    /// <summary>When the log is forced to the disk.</summary>
    public AppendFsync AppendFsync { get; set; } = AppendFsync.EverySecond;

    /// <summary>Beginning of the names of the log's files.</summary>
    public string AppendFileName { get; set; } = "appendonly.aof";

    /// <summary>Folder of the log's files in <see cref="Dir"/>.</summary>
    public string AppendDirName { get; set; } = "appendonlydir";

    /// <summary>
    /// Whether a log whose end was lost, as a power cut leaves it, is read up to there; otherwise the server does not start.
    /// </summary>
    public bool AofLoadTruncated { get; set; } = true;

    /// <summary>Percentage by which log and snapshot together have grown when they are rewritten; 0 never.</summary>
    public int AutoAofRewritePercentage { get; set; } = 100;

    /// <summary>Bytes that log and snapshot must have to be rewritten for their growth.</summary>
    public long AutoAofRewriteMinSizeBytes { get; set; } = 64L << 20;

    /// <summary>Whether the log is not forced to the disk each second while it is rewritten.</summary>
    public bool NoAppendFsyncOnRewrite { get; set; }

    /// <summary>How SIGINT (Ctrl+C) ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigInt { get; set; }

    /// <summary>How SIGTERM ends the stand-alone server.</summary>
    public ShutdownModifiers ShutdownOnSigTerm { get; set; }

    /// <summary>Who may change <see cref="Dir"/> and <see cref="DbFileName"/> by CONFIG SET.</summary>
    public CommandAccess EnableProtectedConfigs { get; set; } = CommandAccess.No;

    /// <summary>Who may use DEBUG.</summary>
    public CommandAccess EnableDebugCommand { get; set; } = CommandAccess.No;

    /// <summary>Commands that take at least this many microseconds are logged; 0 logs all, -1 none.</summary>
    public long SlowerThanMicroseconds { get; set; } = 10_000;

    /// <summary>Slow commands remembered.</summary>
    public long SlowLogMaxLength { get; set; } = 128;

    /// <summary>Requests of at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeRequestBytes { get; set; } = 1L << 20;

    /// <summary>Large requests remembered.</summary>
    public long LargeRequestLogMaxLength { get; set; } = 128;

    /// <summary>Commands whose reply has at least this many bytes are logged; 0 logs all, -1 none.</summary>
    public long LargeReplyBytes { get; set; } = 1L << 20;

    /// <summary>Commands with large replies remembered.</summary>
    public long LargeReplyLogMaxLength { get; set; } = 128;

    /// <summary>Commands that take at least this many milliseconds are latency events; 0 makes none of them one.</summary>
    public long LatencyMonitorThresholdMs { get; set; }

    /// <summary>Counts how long each command's calls take.</summary>
    public bool LatencyTracking { get; set; } = true;

    /// <summary>The percentiles of each command's latency that INFO shows.</summary>
    public IReadOnlyList<double> LatencyTrackingInfoPercentiles { get; set; } = [50, 99, 99.9];

    /// <summary>Least important message that is logged.</summary>
    public ServerLogLevel LogLevel { get; set; } = ServerLogLevel.Notice;

    /// <summary>File that log messages go to; empty for the console. A relative path starts at <see cref="Dir"/>.</summary>
    public string LogFile { get; set; } = "";

    /// <summary>What has been set of Valkey's options that have nothing to act on here, by name.</summary>
    internal ImmutableDictionary<string, string> Ignored { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>A copy that can be changed without touching this one; values of reference type are themselves immutable.</summary>
    public GarnetOptions Clone() => (GarnetOptions)MemberwiseClone();
}
