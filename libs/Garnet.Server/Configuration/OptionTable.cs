// The single list of options. Immutable once built, any thread.
// An option is added by a property in GarnetOptions and a row here; the command line, the environment, files, IConfiguration
// and CONFIG use only this table. Rows are code and not attributes, because reading attributes would cost milliseconds at every start.
using System.Buffers;
using System.Runtime.CompilerServices;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Notifications;
using Garnet.Store;

namespace Garnet.Server.Configuration;

/// <summary>Every option of the server.</summary>
internal static class OptionTable
{
    private const int MaxBindAddresses = 16;
    private const int MaxHashSeedLength = 256;

    private static readonly SearchValues<char> AddressCharacters = SearchValues.Create(
        "%*-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    );

    /// <summary>All options, in the order of the help text.</summary>
    public static IReadOnlyList<OptionDescriptor> All { get; } =
    [
        .. Endpoints(),
        .. Tls(),
        .. Threads(),
        .. Clients(),
        .. Data(),
        .. CollectionOptions.All(),
        .. Persistence(),
        .. Ends(),
        .. ReplicationOptions.All(),
        .. Diagnostics(),
        .. ProcessOptions.All(),
        .. IgnoredOptions.All(),
    ];

    private static readonly Dictionary<string, OptionDescriptor> ByName = Index();

    /// <summary>Every name with its option, including aliases.</summary>
    public static IReadOnlyCollection<KeyValuePair<string, OptionDescriptor>> Names => ByName;

    /// <summary>The option with a name in any letter case, or null.</summary>
    public static OptionDescriptor? Find(string name) => ByName.GetValueOrDefault(name);

    /// <summary>The first option whose property has a value that its text form would not allow; null when there is none.</summary>
    public static (OptionDescriptor Option, string Value, string Problem)? FindWrongValue(GarnetOptions options)
    {
        GarnetOptions copy = options.Clone();
        foreach (OptionDescriptor option in All)
        {
            string value = option.Format(options) ?? throw new OptionException($"{option.Name}: {option.Explain("must not be null")}");
            if (option.TrySet(copy, option.SplitValue(value)) is { } problem)
                return (option, value, problem);
        }
        return null;
    }

    /// <summary>An inconsistency between individually valid options, with the option to name; null when there is none.</summary>
    public static (string Name, string Problem)? FindConflict(GarnetOptions options)
    {
        if (Crossed(options.ThreadPoolMinThreads, options.ThreadPoolMaxThreads))
            return ("thread-pool-min-threads", "must not be greater than thread-pool-max-threads");
        if (Crossed(options.ThreadPoolMinIOCompletionThreads, options.ThreadPoolMaxIOCompletionThreads))
            return ("thread-pool-min-io-completion-threads", "must not be greater than thread-pool-max-io-completion-threads");
        return null;

        // 0 keeps the runtime's number, which is checked when the numbers are applied.
        static bool Crossed(int min, int max) => max != 0 && min > max;
    }

    private static Dictionary<string, OptionDescriptor> Index()
    {
        var index = new Dictionary<string, OptionDescriptor>(StringComparer.OrdinalIgnoreCase);
        foreach (OptionDescriptor option in All)
        {
            index.Add(option.Name, option);
            foreach (string alias in option.Aliases)
                index.Add(alias, option);
        }
        return index;
    }

    // Whether an address exists is found out when it is bound. Text that cannot be part of an address or a host name must not reach files
    // and logs.
    private static string? AddressProblem(string word) =>
        word.AsSpan().ContainsAnyExcept(AddressCharacters) ? "an address is an IP address, a host name, * or ::*" : null;

    private static OptionDescriptor[] Endpoints() =>
        [
            new IntegerOption("port", static o => o.Port, static (o, v) => o.Port = (int)v, 0, 65535)
            {
                Group = OptionGroup.Network,
                Help = "TCP port; 0 opens no TCP endpoint.",
                Mutability = Mutability.Runtime,
            },
            new ListOption("bind", static o => o.Bind, static (o, v) => o.Bind = v, MaxBindAddresses)
            {
                Group = OptionGroup.Network,
                Help =
                    "Addresses to listen on: * is every IPv4 address, ::* every IPv6 address; one with a leading - is skipped if this machine lacks it.",
                Check = AddressProblem,
                Mutability = Mutability.Runtime,
            },
            new StringOption("unixsocket", static o => o.UnixSocket, static (o, v) => o.UnixSocket = v)
            {
                Group = OptionGroup.Network,
                Help = "Path of a Unix socket to listen on.",
                EmptyIsAbsent = true,
            },
            new IntegerOption(
                "unixsocketperm",
                static o => o.UnixSocketPermissions,
                static (o, v) => o.UnixSocketPermissions = (int)v,
                0,
                0x1FF
            )
            {
                Group = OptionGroup.Network,
                Help = "File mode of the Unix socket, in octal; 0 leaves it to the umask.",
                Octal = true,
            },
            new StringOption("unixsocketgroup", static o => o.UnixSocketGroup, static (o, v) => o.UnixSocketGroup = v)
            {
                Group = OptionGroup.Network,
                Help = "Group that owns the Unix socket.",
                EmptyIsAbsent = true,
            },
            new IntegerOption("tcp-backlog", static o => o.TcpBacklog, static (o, v) => o.TcpBacklog = (int)v, 0, int.MaxValue)
            {
                Group = OptionGroup.Network,
                Help = "Length of the queue of connections not yet accepted by the server.",
            },
            new IntegerOption(
                "tcp-keepalive",
                static o => o.TcpKeepAliveSeconds,
                static (o, v) => o.TcpKeepAliveSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.TcpKeepAlive),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Network,
                Help =
                    "Seconds between probes of a silent peer, capped at 32767 (nine hours). 0 sends none. A change applies to new connections.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("availability-zone", static o => o.AvailabilityZone, static (o, v) => o.AvailabilityZone = v)
            {
                Group = OptionGroup.Network,
                Help = "Zone of the server, reported by HELLO and INFO for clients that prefer a near server.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<TransportKind>(
                "transport",
                static o => o.Transport,
                static (o, v) => o.Transport = v,
                [("epoll", TransportKind.Epoll), ("sockets", TransportKind.Sockets)]
            )
            {
                Group = OptionGroup.Network,
                Help = "Transport: epoll uses dedicated I/O threads (Linux only), sockets the runtime's sockets on its thread pool.",
            },
        ];

    private static OptionDescriptor[] Tls() =>
        [
            new IntegerOption("tls-port", static o => o.TlsPort, static (o, v) => o.TlsPort = (int)v, 0, 65535)
            {
                Group = OptionGroup.Tls,
                Help = "TCP port for TLS, on the addresses of bind, in addition to port; 0 opens none.",
                Mutability = Mutability.Runtime,
            },
            File("tls-cert-file", static o => o.TlsCertFile, static (o, v) => o.TlsCertFile = v, "Server certificate and its chain, PEM."),
            File("tls-key-file", static o => o.TlsKeyFile, static (o, v) => o.TlsKeyFile = v, "Private key of tls-cert-file, PEM."),
            new StringOption("tls-key-file-pass", static o => o.TlsKeyPassword, static (o, v) => o.TlsKeyPassword = v)
            {
                Group = OptionGroup.Tls,
                Help = "Password of tls-key-file or tls-pfx-file.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Sensitive = true,
            },
            File(
                "tls-pfx-file",
                static o => o.TlsPfxFile,
                static (o, v) => o.TlsPfxFile = v,
                "Certificate, chain and key as PKCS #12, instead of tls-cert-file and tls-key-file."
            ),
            File(
                "tls-ca-cert-file",
                static o => o.TlsCaCertFile,
                static (o, v) => o.TlsCaCertFile = v,
                "Authorities trusted for client certificates, PEM."
            ),
            File(
                "tls-ca-cert-dir",
                static o => o.TlsCaCertDir,
                static (o, v) => o.TlsCaCertDir = v,
                "Folder of files like tls-ca-cert-file; their names do not matter."
            ),
            new EnumOption<ClientCertificates>(
                "tls-auth-clients",
                static o => o.TlsAuthClients,
                static (o, v) => o.TlsAuthClients = v,
                [("no", ClientCertificates.No), ("yes", ClientCertificates.Yes), ("optional", ClientCertificates.Optional)]
            )
            {
                Group = OptionGroup.Tls,
                Help = "Whether clients present certificates: yes requires them, no requests none, optional accepts them.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<CertificateField>(
                "tls-auth-clients-user",
                static o => o.TlsAuthClientsUser,
                static (o, v) => o.TlsAuthClientsUser = v,
                [("CN", CertificateField.CommonName), ("URI", CertificateField.Uri), ("off", CertificateField.Off)]
            )
            {
                Group = OptionGroup.Tls,
                Help = "Field of a client certificate that names the user to log in.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("tls-protocols", static o => o.TlsProtocols, static (o, v) => o.TlsProtocols = v)
            {
                Group = OptionGroup.Tls,
                Help = "Enabled versions, TLSv1.2 and TLSv1.3; \"\" means both.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new StringOption("tls-ciphers", static o => o.TlsCiphers, static (o, v) => o.TlsCiphers = v)
            {
                Group = OptionGroup.Tls,
                Help =
                    "Cipher suites of TLS 1.2 by OpenSSL's names, separated by ':', preferred ones first; \"\" uses the system's. Not on Windows.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new StringOption("tls-ciphersuites", static o => o.TlsCipherSuites, static (o, v) => o.TlsCipherSuites = v)
            {
                Group = OptionGroup.Tls,
                Help = "Cipher suites of TLS 1.3, as in tls-ciphers.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
            },
            new BooleanOption("tls-session-caching", static o => o.TlsSessionCaching, static (o, v) => o.TlsSessionCaching = v)
            {
                Group = OptionGroup.Tls,
                Help = "Let clients resume earlier sessions, which saves them and the server a full handshake.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "tls-auto-reload-interval",
                static o => o.TlsAutoReloadIntervalSeconds,
                static (o, v) => o.TlsAutoReloadIntervalSeconds = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.TlsAutoReloadInterval),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Tls,
                Help = "Seconds between checks of certificate files for changes; new ones apply to new connections. 0 disables them.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "tls-handshake-timeout-ms",
                static o => o.TlsHandshakeTimeoutMs,
                static (o, v) => o.TlsHandshakeTimeoutMs = (int)v,
                1,
                3_600_000
            )
            {
                Property = nameof(GarnetOptions.TlsHandshakeTimeout),
                Unit = TimeSpan.FromMilliseconds(1),
                Group = OptionGroup.Tls,
                Help = "Timeout of a handshake in milliseconds.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption("tls-write-bytes", static o => o.TlsWriteBytes, static (o, v) => o.TlsWriteBytes = v, 512, 64 * 1024)
            {
                Group = OptionGroup.Tls,
                Help =
                    "Bytes encrypted at once. More than a record of 16 KiB gains nothing; less delivers the first bytes sooner on slow links.",
                Mutability = Mutability.Runtime,
            },
        ];

    // Setting the name of the current file again reloads it.
    private static StringOption File(
        string name,
        Func<GarnetOptions, string> get,
        Action<GarnetOptions, string> set,
        string help,
        [CallerArgumentExpression(nameof(get))] string getter = ""
    ) =>
        new(name, get, set, getter)
        {
            Group = OptionGroup.Tls,
            Help = help,
            Mutability = Mutability.Runtime,
            EmptyIsAbsent = true,
            IsVolatile = true,
        };

    private static OptionDescriptor[] Threads() =>
        [
            new IntegerOption("io-threads", static o => o.IoThreads, static (o, v) => o.IoThreads = (int)v, 0, 256)
            {
                Group = OptionGroup.Network,
                Help =
                    "Threads that read, execute and reply, or queues of the thread pool with the sockets transport. 0 is automatic: one thread at first, more while that pays; or one queue per processor.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "prefetch-batch-max-size",
                static o => o.PrefetchBatchMaxSize,
                static (o, v) => o.PrefetchBatchMaxSize = (int)v,
                0,
                128
            )
            {
                Group = OptionGroup.Network,
                Help = "Commands of a pipeline whose keys are prefetched together before they run; 0 disables prefetching.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "thread-pool-min-threads",
                static o => o.ThreadPoolMinThreads,
                static (o, v) => o.ThreadPoolMinThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Minimum number of the runtime's pool threads; 0 keeps the runtime's. Matters for the sockets transport.",
            },
            new IntegerOption(
                "thread-pool-max-threads",
                static o => o.ThreadPoolMaxThreads,
                static (o, v) => o.ThreadPoolMaxThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Maximum number of the runtime's pool threads; 0 keeps the runtime's.",
            },
            new IntegerOption(
                "thread-pool-min-io-completion-threads",
                static o => o.ThreadPoolMinIOCompletionThreads,
                static (o, v) => o.ThreadPoolMinIOCompletionThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Minimum number of I/O completion threads; 0 keeps the runtime's. The runtime's portable pool hardly uses them.",
            },
            new IntegerOption(
                "thread-pool-max-io-completion-threads",
                static o => o.ThreadPoolMaxIOCompletionThreads,
                static (o, v) => o.ThreadPoolMaxIOCompletionThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Maximum number of I/O completion threads; 0 keeps the runtime's. The runtime's portable pool hardly uses them.",
            },
        ];

    private static OptionDescriptor[] Clients() =>
        [
            new IntegerOption("client-default-resp", static o => o.ClientDefaultResp, static (o, v) => o.ClientDefaultResp = (int)v, 2, 3)
            {
                Group = OptionGroup.Clients,
                Help = "Version of the protocol for a client that has not sent HELLO.",
            },
            new BooleanOption(
                "extended-redis-compatibility",
                static o => o.ExtendedRedisCompatibility,
                static (o, v) => o.ExtendedRedisCompatibility = v
            )
            {
                Group = OptionGroup.Clients,
                Help = "Call the server Redis in HELLO, LOLWUT and errors about loading and saving, for clients that look for that name.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("maxclients", static o => o.MaxClients, static (o, v) => o.MaxClients = v, 1, uint.MaxValue)
            {
                Group = OptionGroup.Clients,
                Help = "Maximum number of connections.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("timeout", static o => o.TimeoutSeconds, static (o, v) => o.TimeoutSeconds = (int)v, 0, int.MaxValue)
            {
                Property = nameof(GarnetOptions.IdleTimeout),
                Unit = TimeSpan.FromSeconds(1),
                Group = OptionGroup.Clients,
                Help = "Seconds after which an idle client is disconnected; 0 never.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("protected-mode", static o => o.ProtectedMode, static (o, v) => o.ProtectedMode = v)
            {
                Group = OptionGroup.Clients,
                Help = "Reject clients from other machines while the default user has no password.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("requirepass", static o => o.Password, static (o, v) => o.Password = v)
            {
                Group = OptionGroup.Clients,
                Help = "Password of the default user.",
                Mutability = Mutability.Runtime,
                EmptyIsAbsent = true,
                Sensitive = true,
            },
            .. UserOptions.All(),
            .. TrackingOptions.All(),
            .. ScriptOptions.All(),
            new StringOption(
                "notify-keyspace-events",
                static o => KeyEventClassesText.Normalize(o.NotifyKeyspaceEvents),
                static (o, v) => o.NotifyKeyspaceEvents = v
            )
            {
                Property = nameof(GarnetOptions.NotifyKeyspaceEvents),
                Group = OptionGroup.Clients,
                Help = "Events of keys that are published: K and E select the channels, g$lshzxetdmn and A the events. Empty for none.",
                Check = KeyEventClassesText.Problem,
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "client-query-buffer-limit",
                static o => o.ClientQueryBufferLimitBytes,
                static (o, v) => o.ClientQueryBufferLimitBytes = v,
                1L << 20,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help = "Maximum size of one unfinished request.",
                Mutability = Mutability.Runtime,
            },
            new OutputBufferLimitOption(
                "client-output-buffer-limit",
                static o => o.ClientOutputBufferLimits,
                static (o, v) => o.ClientOutputBufferLimits = v
            )
            {
                Group = OptionGroup.Clients,
                Help = "Size of unsent replies at which a client is disconnected, by client class; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "maxmemory-clients",
                static o => o.MaxMemoryClientsBytes,
                static (o, v) => o.MaxMemoryClientsBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help =
                    "Maximum memory of all clients together, in bytes or as a percentage of maxmemory, before the largest are disconnected; 0 means no limit.",
                Mutability = Mutability.Runtime,
                Percent = PercentRule.Kept,
            },
            new MemoryOption(
                "maxmemory-unauthenticated-clients",
                static o => o.MaxMemoryUnauthenticatedClientsBytes,
                static (o, v) => o.MaxMemoryUnauthenticatedClientsBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help =
                    "Maximum memory of the unfinished requests of all unauthenticated clients before the largest are disconnected; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "proto-max-bulk-len",
                static o => o.ProtoMaxBulkLengthBytes,
                static (o, v) => o.ProtoMaxBulkLengthBytes = v,
                1L << 20,
                HybridLogStore.MaxStringBytes
            )
            {
                Group = OptionGroup.Clients,
                Help = "Maximum length of a single argument of a request and of a string; its upper bound is the maximum value size.",
                Mutability = Mutability.Runtime,
            },
        ];

    private static OptionDescriptor[] Data() =>
        [
            new MemoryOption("maxmemory", static o => o.MaxMemoryBytes, static (o, v) => o.MaxMemoryBytes = v, 0, long.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "Maximum memory of the server, in bytes or as a percentage of the machine's or container's; 0 means no limit.",
                Mutability = Mutability.Runtime,
                Percent = PercentRule.OfMachine,
            },
            new EnumOption<EvictionPolicy>(
                "maxmemory-policy",
                static o => o.MaxMemoryPolicy,
                static (o, v) => o.MaxMemoryPolicy = v,
                [
                    ("volatile-lru", EvictionPolicy.VolatileLru),
                    ("volatile-lfu", EvictionPolicy.VolatileLfu),
                    ("volatile-random", EvictionPolicy.VolatileRandom),
                    ("volatile-ttl", EvictionPolicy.VolatileTtl),
                    ("allkeys-lru", EvictionPolicy.AllKeysLru),
                    ("allkeys-lfu", EvictionPolicy.AllKeysLfu),
                    ("allkeys-random", EvictionPolicy.AllKeysRandom),
                    ("allkeys-lrfu", EvictionPolicy.AllKeysLrfu),
                    ("noeviction", EvictionPolicy.NoEviction),
                ]
            )
            {
                Group = OptionGroup.Data,
                Help =
                    "What a full server does: evict keys (any, or volatile ones: those with an expiry), or with noeviction reject writes that need memory.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("maxmemory-samples", static o => o.MaxMemorySamples, static (o, v) => o.MaxMemorySamples = (int)v, 1, 64)
            {
                Group = OptionGroup.Data,
                Help = "Keys sampled for each eviction.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "maxmemory-eviction-tenacity",
                static o => o.MaxMemoryEvictionTenacity,
                static (o, v) => o.MaxMemoryEvictionTenacity = (int)v,
                0,
                100
            )
            {
                Group = OptionGroup.Data,
                Help =
                    "How long a single command may evict: up to 10 in steps of 50 microseconds, each further step adds 15 %; 100 means no limit.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption("lfu-log-factor", static o => o.LfuLogFactor, static (o, v) => o.LfuLogFactor = (int)v, 0, int.MaxValue)
            {
                Group = OptionGroup.Data,
                Help = "How quickly the increments of a key's frequency become rarer, with the lfu policies.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "lfu-decay-time",
                static o => o.LfuDecayTimeMinutes,
                static (o, v) => o.LfuDecayTimeMinutes = (int)v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.LfuDecayTime),
                Unit = TimeSpan.FromMinutes(1),
                Group = OptionGroup.Data,
                Help = "Minutes after which keys' frequencies are decremented, with the lfu policies; 0 for never.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("hash-seed", static o => o.HashSeed, static (o, v) => o.HashSeed = v)
            {
                Group = OptionGroup.Data,
                Help =
                    "Text from which the hash tables' seed is made: servers with the same one and the same keys return them in the same order. \"\" draws a seed at each start.",
                EmptyIsAbsent = true,
                Sensitive = true,
                Check = static seed =>
                    seed.Length > MaxHashSeedLength ? $"hash-seed must be less than or equal to {MaxHashSeedLength} characters" : null,
            },
            new IntegerOption("databases", static o => o.Databases, static (o, v) => o.Databases = (int)v, 1, 128)
            {
                Group = OptionGroup.Data,
                Help = "Number of logical databases.",
            },
            new MemoryOption(
                "hll-sparse-max-bytes",
                static o => o.HllSparseMaxBytes,
                static (o, v) => o.HllSparseMaxBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Maximum size of a HyperLogLog in its sparse form.",
                Mutability = Mutability.Runtime,
            },
        ];

    private static OptionDescriptor[] Persistence() =>
        [
            new StringOption("dir", static o => o.Dir, static (o, v) => o.Dir = Path.GetFullPath(v))
            {
                Group = OptionGroup.Persistence,
                Help = "Existing directory that relative paths of other options are relative to.",
                Mutability = Mutability.Protected,
                AlwaysWritten = true,
                Check = static path =>
                    path.Length == 0 ? "dir can't be empty"
                    : Directory.Exists(path) ? null
                    : "No such file or directory",
            },
            new StringOption("dbfilename", static o => o.DbFileName, static (o, v) => o.DbFileName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Name of the snapshot file in dir; loaded at the start if it exists.",
                Mutability = Mutability.Protected,
                Check = static name =>
                    name.Length == 0 ? "dbfilename can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "dbfilename can't be a path, just a filename",
            },
            new SaveOption("save", static o => o.Save, static (o, v) => o.Save = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "When to save snapshots: after <seconds> if there were <changes>; \"\" means never. With any entry one is also saved when the server ends.",
                Mutability = Mutability.Runtime,
            },
            new DelayOption(
                "checkpoint-throttle-flush-delay-ms",
                static o => o.CheckpointThrottleFlushDelayMs,
                static (o, v) => o.CheckpointThrottleFlushDelayMs = v,
                60_000
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Pace of saving: milliseconds between pieces of 1 MB, 0 to yield only, -1 for as fast as possible; auto is slow while clients are busy and fast otherwise.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("rdbcompression", static o => o.RdbCompression, static (o, v) => o.RdbCompression = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Compress strings in snapshots: smaller files at the cost of processor time for clients.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("rdbchecksum", static o => o.RdbChecksum, static (o, v) => o.RdbChecksum = v)
            {
                Group = OptionGroup.Persistence,
                Help = "End snapshots with a checksum, and verify it when loading.",
            },
            new EnumOption<RdbVersionCheck>(
                "rdb-version-check",
                static o => o.RdbVersionCheck,
                static (o, v) => o.RdbVersionCheck = v,
                [("strict", RdbVersionCheck.Strict), ("relaxed", RdbVersionCheck.Relaxed)]
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Which payloads RESTORE accepts and which files are loaded. strict: as in Valkey, no payloads of later versions or of Redis 7.4 and later, and no files of later versions of Valkey. relaxed: those too, if all types in them are known.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption(
                "stop-writes-on-bgsave-error",
                static o => o.StopWritesOnBgsaveError,
                static (o, v) => o.StopWritesOnBgsaveError = v
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Reject writes after a snapshot failed, while save has any entry.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("appendonly", static o => o.AppendOnly, static (o, v) => o.AppendOnly = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Log writes to disk, so that a restart recovers them.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<AppendFsync>(
                "appendfsync",
                static o => o.AppendFsync,
                static (o, v) => o.AppendFsync = v,
                [("everysec", AppendFsync.EverySecond), ("always", AppendFsync.Always), ("no", AppendFsync.No)]
            )
            {
                Group = OptionGroup.Persistence,
                Help =
                    "When the log is synced to disk: once a second, before any reply that acknowledges a write, or when the system chooses.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("appendfilename", static o => o.AppendFileName, static (o, v) => o.AppendFileName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Prefix of the names of the log's files; also of the append-only files of Redis or Valkey to import at the start.",
                Check = static name =>
                    name.Length == 0 ? "appendfilename can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "appendfilename can't be a path, just a filename",
            },
            new StringOption("appenddirname", static o => o.AppendDirName, static (o, v) => o.AppendDirName = v)
            {
                Group = OptionGroup.Persistence,
                Help = "Folder of the log's files, in dir.",
                Check = static name =>
                    name.Length == 0 ? "appenddirname can't be empty"
                    : Path.GetFileName(name) == name ? null
                    : "appenddirname can't be a path, just a dirname",
            },
            new BooleanOption("aof-load-truncated", static o => o.AofLoadTruncated, static (o, v) => o.AofLoadTruncated = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "Start with a log that lost its end, for example by a power failure; otherwise report it and do not start. Also applies to append-only files of Redis and Valkey.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "auto-aof-rewrite-percentage",
                static o => o.AutoAofRewritePercentage,
                static (o, v) => o.AutoAofRewritePercentage = (int)v,
                0,
                int.MaxValue
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Rewrite the log when it has grown by this percentage since the last time; 0 never.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "auto-aof-rewrite-min-size",
                static o => o.AutoAofRewriteMinSizeBytes,
                static (o, v) => o.AutoAofRewriteMinSizeBytes = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Do not rewrite a log smaller than this, however much it has grown.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption(
                "no-appendfsync-on-rewrite",
                static o => o.NoAppendFsyncOnRewrite,
                static (o, v) => o.NoAppendFsyncOnRewrite = v
            )
            {
                Group = OptionGroup.Persistence,
                Help = "Do not sync the log each second while it is rewritten; appendfsync always still applies.",
                Mutability = Mutability.Runtime,
            },
        ];

    // Placed with the options of saving, because most of their words concern saving.
    private static ShutdownOption[] Ends() =>
        [
            new ShutdownOption("shutdown-on-sigint", static o => o.ShutdownOnSigInt, static (o, v) => o.ShutdownOnSigInt = v)
            {
                Group = OptionGroup.Persistence,
                Help =
                    "How SIGINT (Ctrl+C) ends the stand-alone server, in the words of SHUTDOWN; default saves a snapshot when save has any entry, and keeps running if that fails.",
                Mutability = Mutability.Runtime,
            },
            new ShutdownOption("shutdown-on-sigterm", static o => o.ShutdownOnSigTerm, static (o, v) => o.ShutdownOnSigTerm = v)
            {
                Group = OptionGroup.Persistence,
                Help = "How SIGTERM ends it.",
                Mutability = Mutability.Runtime,
            },
        ];

    private static OptionDescriptor[] Diagnostics() =>
        [
            new IntegerOption("metrics-port", static o => o.MetricsPort, static (o, v) => o.MetricsPort = (int)v, 0, 65535)
            {
                Group = OptionGroup.Diagnostics,
                Help = "HTTP port of /metrics (Prometheus), /healthz/live and /healthz/ready; 0 opens none.",
            },
            new ListOption("metrics-bind", static o => o.MetricsBind, static (o, v) => o.MetricsBind = v, MaxBindAddresses)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Addresses of metrics-port, as in bind. The endpoint requires no password: anyone who can connect may read it.",
                Check = AddressProblem,
            },
            new EnumOption<ServerLogLevel>(
                "loglevel",
                static o => o.LogLevel,
                static (o, v) => o.LogLevel = v,
                [
                    ("debug", ServerLogLevel.Debug),
                    ("verbose", ServerLogLevel.Verbose),
                    ("notice", ServerLogLevel.Notice),
                    ("warning", ServerLogLevel.Warning),
                    ("nothing", ServerLogLevel.Nothing),
                ]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Lowest level of messages that are logged.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("logfile", static o => o.LogFile, static (o, v) => o.LogFile = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Log file; \"\" means the console.",
            },
            .. MonitoringOptions.All(),
            new EnumOption<CommandAccess>(
                "enable-protected-configs",
                static o => o.EnableProtectedConfigs,
                static (o, v) => o.EnableProtectedConfigs = v,
                [("no", CommandAccess.No), ("yes", CommandAccess.Yes), ("local", CommandAccess.Local)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Who may change dir and dbfilename by CONFIG SET: no client, any client, or clients on this machine.",
            },
            new EnumOption<CommandAccess>(
                "enable-debug-command",
                static o => o.EnableDebugCommand,
                static (o, v) => o.EnableDebugCommand = v,
                [("no", CommandAccess.No), ("yes", CommandAccess.Yes), ("local", CommandAccess.Local)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Who may use DEBUG: no client, any client, or clients on this machine.",
            },
            .. ModuleOptions.All(),
        ];
}
