// Valkey's options that tune parts this server does not have. Stateless; any thread.
// They are accepted, kept and shown, so that files and scripts written for Valkey work unchanged; none changes what this server does.
// Options of unsupported features do not belong here: those are rejected.
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> that have no effect, with Valkey's defaults and ranges.</summary>
internal static class IgnoredOptions
{
    private const string NoEffect = "Accepted and shown, without effect.";

    private const string InCluster = "Accepted and shown, without effect: it concerns clusters only, which are not supported.";

    private const string Foreground =
        "Accepted and shown, without effect: the server stays in the foreground, as service managers want it.";

    // As in Valkey, CONFIG GET shows these only when it names them.
    private static readonly HashSet<string> Hidden =
    [
        "use-exit-on-panic",
        "aof-disable-auto-gc",
        "enable-debug-assert",
        "io-threads-always-active",
        "req-res-logfile",
        "debug-context",
        "min-io-threads-avoid-copy-reply",
        "min-string-size-avoid-copy-reply",
        "min-string-size-avoid-copy-reply-threaded",
        "rdb-key-save-delay",
        "key-load-delay",
        "watchdog-period",
        "cluster-message-gossip-perc",
        "cluster-ping-interval",
        "loading-process-events-interval-bytes",
    ];

    public static OptionDescriptor[] All() =>
        [.. Memory(), .. Data(), .. Saving(), .. Process(), .. Threads(), .. Network(), .. Debugging(), .. Cluster()];

    // Deleted, evicted and expired data is always freed in the background, and memory is always defragmented.
    private static OptionDescriptor[] Memory() =>
        [
            Flag("lazyfree-lazy-eviction", true),
            Flag("lazyfree-lazy-expire", true),
            Flag("lazyfree-lazy-server-del", true),
            Flag("lazyfree-lazy-user-del", true),
            Flag("lazyfree-lazy-user-flush", true),
            Flag("activedefrag", false),
            Number("active-defrag-cycle-min", 1, 1, 99),
            Number("active-defrag-cycle-max", 25, 1, 99),
            Number("active-defrag-cycle-us", 500, 0, 100_000),
            Number("active-defrag-threshold-lower", 10, 0, 1000),
            Number("active-defrag-threshold-upper", 100, 0, 1000),
            Number("active-defrag-max-scan-fields", 1000, 1, long.MaxValue),
            Size("active-defrag-ignore-bytes", 100 << 20, 1),
            Flag("jemalloc-bg-thread", true),
            Flag("disable-thp", true, Mutability.Immutable),
        ];

    private static OptionDescriptor[] Data() =>
        [
            Flag("activerehashing", true),
            Number("active-expire-effort", 1, 1, 10),
            Number("hz", 10, 0, int.MaxValue, least: 1, most: 500),
            Number("list-compress-depth", 0, 0, int.MaxValue),
            Text("locale-collate", "", LocaleProblem),
        ];

    private static OptionDescriptor[] Saving() =>
        [
            Flag("aof-use-rdb-preamble", true),
            Flag("aof-rewrite-incremental-fsync", true),
            Flag("rdb-save-incremental-fsync", true),
            Only("aof-timestamp-enabled", "no", BooleanProblem, reason: "the log has no times in it"),
            Flag("crash-log-enabled", true),
            Flag("crash-memcheck-enabled", true),
            Flag("hide-user-data-from-log", true),
            Text("ignore-warnings", ""),
            // Snapshots go straight to replicas in any case, and connections to replicas never wait for more to send.
            Flag("repl-diskless-sync", true),
            Flag("repl-disable-tcp-nodelay", false),
            Flag("replica-lazy-flush", true, alias: "slave-lazy-flush"),
            Flag("rdb-del-sync-files", false),
            Flag("replica-ignore-disk-write-errors", false),
            Only("dual-channel-replication-enabled", "no", BooleanProblem, reason: "snapshots and the stream share one connection"),
            Flag("aof-disable-auto-gc", false),
            Number("loading-process-events-interval-bytes", 2 << 20, 1024, int.MaxValue),
            Only("propagation-error-behavior", "ignore", PropagationProblem, reason: "errors of replication never end the server"),
        ];

    private static OptionDescriptor[] Process() =>
        [
            Flag(IneffectiveOptions.Daemonize, false, Mutability.Immutable, Foreground),
            Only("cluster-enabled", "no", Mutability.Immutable, reason: "cluster mode is not implemented"),
            Flag("always-show-logo", false, Mutability.Immutable),
            Flag("set-proc-title", true, Mutability.Immutable),
            Text("proc-title-template", "{title} {listen-addr} {server-mode}", TemplateProblem),
            Number("max-new-connections-per-cycle", 10, 1, 1000),
            Number("max-new-tls-connections-per-cycle", 1, 1, 1000),
            Text("server-cpulist", "", Mutability.Immutable, "server_cpulist"),
            Text("bio-cpulist", "", Mutability.Immutable, "bio_cpulist"),
            Text("aof-rewrite-cpulist", "", Mutability.Immutable, "aof_rewrite_cpulist"),
            Text("bgsave-cpulist", "", Mutability.Immutable, "bgsave_cpulist"),
        ];

    // The number of busy I/O threads follows the load, and large values are never copied into replies.
    private static OptionDescriptor[] Threads() =>
        [
            Flag("io-threads-always-active", false),
            Number("min-io-threads-avoid-copy-reply", 7, 0, int.MaxValue),
            Number("min-string-size-avoid-copy-reply", 16384, 0, int.MaxValue),
            Number("min-string-size-avoid-copy-reply-threaded", 65536, 0, int.MaxValue),
        ];

    // Multipath TCP, RDMA and marks of sockets are not supported; the runtime keeps the sessions of TLS, prefers the server's ciphers
    // and does not use parameters for Diffie-Hellman. Connections to a primary have neither a certificate of their own nor a chosen
    // address.
    private static OptionDescriptor[] Network() =>
        [
            Only("mptcp", "no", Mutability.Immutable, BooleanProblem, reason: "Multipath TCP is not supported"),
            Only("repl-mptcp", "no", Mutability.Immutable, BooleanProblem, reason: "Multipath TCP is not supported"),
            Only("socket-mark-id", "0", Mutability.Immutable, reason: "marks of sockets are not supported"),
            Only("rdma-port", "0", Mutability.Runtime, reason: "RDMA is not supported"),
            Only("rdma-bind", "", Mutability.Runtime, reason: "RDMA is not supported"),
            Number("rdma-rx-size", 1 << 20, 64 << 10, 16 << 20, mutability: Mutability.Immutable),
            Number("rdma-completion-vector", -1, -1, 1024, mutability: Mutability.Immutable),
            Number("tls-session-cache-size", 20_480, 0, int.MaxValue),
            Number("tls-session-cache-timeout", 300, 0, int.MaxValue),
            Only("tls-prefer-server-ciphers", "yes", YesProblem, reason: "the runtime always prefers the server's ciphers"),
            Text("tls-dh-params-file", ""),
            Only("tls-cluster", "no", BooleanProblem, reason: "cluster mode is not implemented"),
            Only("tls-client-cert-file", "", Mutability.Runtime, reason: "connections to a primary have no certificate of their own"),
            Only("tls-client-key-file", "", Mutability.Runtime, reason: "connections to a primary have no certificate of their own"),
            Only("tls-client-key-file-pass", "", Mutability.Runtime, reason: "connections to a primary have no certificate of their own"),
            Only("bind-source-addr", "", Mutability.Runtime, reason: "the system chooses the address of outgoing connections"),
        ];

    // What Valkey's developers slow down or record with.
    private static OptionDescriptor[] Debugging() =>
        [
            Flag("use-exit-on-panic", false),
            Flag("enable-debug-assert", false, Mutability.Immutable),
            Text("req-res-logfile", "", Mutability.Immutable),
            Text("debug-context", ""),
            Number("rdb-key-save-delay", 0, int.MinValue, int.MaxValue),
            Number("key-load-delay", 0, int.MinValue, int.MaxValue),
            Number("watchdog-period", 0, 0, int.MaxValue),
        ];

    // As in a Valkey whose cluster is disabled, these say what a cluster would do; cluster-enabled itself is rejected.
    private static OptionDescriptor[] Cluster() =>
        [
            Flag("cluster-require-full-coverage", true, help: InCluster),
            Flag("cluster-replica-no-failover", false, help: InCluster, alias: "cluster-slave-no-failover"),
            Flag("cluster-allow-reads-when-down", false, help: InCluster),
            Flag("cluster-allow-pubsubshard-when-down", true, help: InCluster),
            Flag("cluster-allow-replica-migration", true, help: InCluster),
            Flag("cluster-slot-stats-enabled", false, help: InCluster),
            Text("cluster-announce-ip", "", help: InCluster),
            Text("cluster-announce-client-ipv4", "", help: InCluster),
            Text("cluster-announce-client-ipv6", "", help: InCluster),
            Text("cluster-config-file", "nodes.conf", Mutability.Immutable, help: InCluster),
            Text("cluster-announce-hostname", "", help: InCluster),
            Text("cluster-announce-human-nodename", "", help: InCluster),
            Text("cluster-preferred-endpoint-type", "ip", EndpointTypeProblem, InCluster),
            Text("cluster-config-save-behavior", "sync", SaveBehaviorProblem, InCluster),
            Number("cluster-databases", 1, 1, int.MaxValue, mutability: Mutability.Immutable, help: InCluster),
            Number("cluster-replica-validity-factor", 10, 0, int.MaxValue, help: InCluster, alias: "cluster-slave-validity-factor"),
            Number("cluster-migration-barrier", 1, 0, int.MaxValue, help: InCluster),
            Number("cluster-port", 0, 0, 65535, mutability: Mutability.Immutable, help: InCluster),
            Number("cluster-announce-bus-port", 0, 0, 65535, help: InCluster),
            Number("cluster-announce-port", 0, 0, 65535, help: InCluster),
            Number("cluster-announce-tls-port", 0, 0, 65535, help: InCluster),
            Number("cluster-announce-client-port", 0, 0, 65535, help: InCluster),
            Number("cluster-announce-client-tls-port", 0, 0, 65535, help: InCluster),
            Number("cluster-message-gossip-perc", 10, 1, 100, help: InCluster),
            Number("cluster-blacklist-ttl", 60, 0, long.MaxValue, help: InCluster),
            Number("cluster-slot-migration-log-max-len", 1000, 0, long.MaxValue, help: InCluster),
            Number("cluster-node-timeout", 15_000, 0, long.MaxValue, help: InCluster),
            Number("cluster-ping-interval", 0, 0, long.MaxValue, help: InCluster),
            Number("cluster-manual-failover-timeout", 5000, 1, int.MaxValue, help: InCluster),
            Size("cluster-link-sendbuf-limit", 0, 0, InCluster),
            Text("slot-migration-max-failover-repl-bytes", "0", SignedSizeProblem, InCluster),
        ];

    private static BooleanOption Flag(
        string name,
        bool initial,
        Mutability mutability = Mutability.Runtime,
        string help = NoEffect,
        string alias = ""
    ) =>
        new(name, o => Get(o, name, initial ? "yes" : "no") == "yes", (o, v) => Set(o, name, v ? "yes" : "no"), name)
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = help,
            Mutability = mutability,
            Aliases = Aliases(alias),
        };

    // A number within the bounds but outside of the supported range is clamped.
    private static IntegerOption Number(
        string name,
        long initial,
        long min,
        long max,
        long least = long.MinValue,
        long most = long.MaxValue,
        Mutability mutability = Mutability.Runtime,
        string help = NoEffect,
        string alias = ""
    ) =>
        new(
            name,
            o => long.Parse(Get(o, name, Text(initial)), CultureInfo.InvariantCulture),
            (o, v) => Set(o, name, Text(Math.Clamp(v, least, most))),
            min,
            max,
            name
        )
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = help,
            Mutability = mutability,
            Aliases = Aliases(alias),
        };

    private static MemoryOption Size(string name, long initial, long min, string help = NoEffect) =>
        new(
            name,
            o => long.Parse(Get(o, name, Text(initial)), CultureInfo.InvariantCulture),
            (o, v) => Set(o, name, Text(v)),
            min,
            long.MaxValue,
            name
        )
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = help,
            Mutability = Mutability.Runtime,
        };

    private static StringOption Text(string name, string initial, Func<string, string?>? check = null, string help = NoEffect) =>
        new(name, o => Get(o, name, initial), (o, v) => Set(o, name, v), name)
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = help,
            Mutability = Mutability.Runtime,
            Check = check ?? (static _ => null),
        };

    private static StringOption Text(string name, string initial, Mutability mutability, string alias = "", string help = NoEffect) =>
        new(name, o => Get(o, name, initial), (o, v) => Set(o, name, v), name)
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = help,
            Mutability = mutability,
            Aliases = Aliases(alias),
        };

    private static string[] Aliases(string alias) => alias.Length == 0 ? [] : [alias];

    // A feature that this server lacks must not be requested silently; what Valkey rejects as well gets its error text.
    private static FixedOption Only(string name, string value, Func<string, string?> check, string reason) =>
        Only(name, value, Mutability.Runtime, check, reason: reason);

    private static FixedOption Only(
        string name,
        string value,
        Mutability mutability,
        Func<string, string?>? check = null,
        string alias = "",
        string reason = ""
    ) =>
        new(name, value, check ?? (static _ => null))
        {
            Group = OptionGroup.Valkey,
            IsHidden = Hidden.Contains(name),
            Help = $"Any other value is rejected as not supported: {reason}.",
            Reason = reason,
            Mutability = mutability,
            Aliases = Aliases(alias),
        };

    private static string? BooleanProblem(string text) =>
        text.Equals("yes", StringComparison.OrdinalIgnoreCase) ? null : "argument must be 'yes' or 'no'";

    private static string? YesProblem(string text) =>
        text.Equals("no", StringComparison.OrdinalIgnoreCase) ? null : "argument must be 'yes' or 'no'";

    private static string? PropagationProblem(string text) => WordProblem(text, "ignore", "panic", "panic-on-replicas");

    private static string? EndpointTypeProblem(string text) => WordProblem(text, "ip", "hostname", "unknown-endpoint");

    private static string? SaveBehaviorProblem(string text) => WordProblem(text, "sync", "best-effort");

    private static string? SignedSizeProblem(string text) =>
        text == "-1" || MemorySize.TryParse(text, out _) ? null : "argument must be a memory value";

    private static string? WordProblem(string text, params string[] words) =>
        words.Contains(text, StringComparer.OrdinalIgnoreCase)
            ? null
            : "argument(s) must be one of the following: " + string.Join(", ", words);

    // A language and a country, optionally followed by a character set or a variant; which of these exist depends on the system.
    private static string? LocaleProblem(string text) =>
        text is "" or "C" or "POSIX"
        || text.StartsWith("C.", StringComparison.Ordinal)
        || (text.Length >= 5 && text.IndexOf('_', StringComparison.Ordinal) is 2 or 3)
            ? null
            : "Invalid locale name";

    private static string? TemplateProblem(string text)
    {
        string rest = text;
        foreach (
            string variable in (ReadOnlySpan<string>)
                ["{title}", "{listen-addr}", "{server-mode}", "{port}", "{tls-port}", "{unixsocket}", "{config-file}"]
        )
        {
            rest = rest.Replace(variable, "", StringComparison.Ordinal);
        }

        return text.Length == 0 || rest.Contains('{', StringComparison.Ordinal)
            ? "template format is invalid or contains unknown variables"
            : null;
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Get(GarnetOptions options, string name, string initial) => options.Ignored.GetValueOrDefault(name, initial);

    private static void Set(GarnetOptions options, string name, string value) => options.Ignored = options.Ignored.SetItem(name, value);
}
