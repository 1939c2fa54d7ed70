// Valkey's options that tune parts this server does not have. Stateless; any thread.
// They are accepted, kept and shown, so that files and scripts written for Valkey work unchanged; none changes what this server does.
// Options of unsupported features do not belong here: those are rejected.
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> that have no effect, with Valkey's defaults and ranges.</summary>
internal static class IgnoredOptions
{
    private const string NoEffect = "Accepted and shown, without effect.";

    public static OptionDescriptor[] All() => [.. Memory(), .. Data(), .. Saving(), .. Process()];

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
            Only("aof-timestamp-enabled", "no", BooleanProblem),
            Flag("crash-log-enabled", true),
            Flag("crash-memcheck-enabled", true),
            Flag("hide-user-data-from-log", true),
            Text("ignore-warnings", ""),
            // Snapshots go straight to replicas in any case, and connections to replicas never wait for more to send.
            Flag("repl-diskless-sync", true),
            Flag("repl-disable-tcp-nodelay", false),
            Flag("replica-lazy-flush", true),
            Only("dual-channel-replication-enabled", "no", BooleanProblem),
        ];

    private static OptionDescriptor[] Process() =>
        [
            Only("daemonize", "no", Mutability.Immutable),
            Only("cluster-enabled", "no", Mutability.Immutable),
            Only("syslog-enabled", "no", Mutability.Immutable),
            Only("enable-module-command", "no", Mutability.Immutable),
            Only("oom-score-adj", "no", AdjustmentProblem),
            Flag("always-show-logo", false, Mutability.Immutable),
            Flag("set-proc-title", true, Mutability.Immutable),
            Text("proc-title-template", "{title} {listen-addr} {server-mode}", TemplateProblem),
            Number("max-new-connections-per-cycle", 10, 1, 1000),
            Number("max-new-tls-connections-per-cycle", 1, 1, 1000),
            Number("shutdown-timeout", 10, 0, int.MaxValue),
        ];

    private static BooleanOption Flag(string name, bool initial, Mutability mutability = Mutability.Runtime) =>
        new(name, o => Get(o, name, initial ? "yes" : "no") == "yes", (o, v) => Set(o, name, v ? "yes" : "no"), name)
        {
            Group = OptionGroup.Valkey,
            Help = NoEffect,
            Mutability = mutability,
        };

    // A number within the bounds but outside of the supported range is clamped.
    private static IntegerOption Number(
        string name,
        long initial,
        long min,
        long max,
        long least = long.MinValue,
        long most = long.MaxValue
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
            Help = NoEffect,
            Mutability = Mutability.Runtime,
        };

    private static MemoryOption Size(string name, long initial, long min) =>
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
            Help = NoEffect,
            Mutability = Mutability.Runtime,
        };

    private static StringOption Text(string name, string initial, Func<string, string?>? check = null) =>
        new(name, o => Get(o, name, initial), (o, v) => Set(o, name, v), name)
        {
            Group = OptionGroup.Valkey,
            Help = NoEffect,
            Mutability = Mutability.Runtime,
            Check = check ?? (static _ => null),
        };

    // A feature that this server lacks must not be requested silently; what Valkey rejects as well gets its error text.
    private static FixedOption Only(string name, string value, Func<string, string?> check) => Only(name, value, Mutability.Runtime, check);

    private static FixedOption Only(string name, string value, Mutability mutability, Func<string, string?>? check = null) =>
        new(name, value, check ?? (static _ => null))
        {
            Group = OptionGroup.Valkey,
            Help = "The feature is not supported: any other value is rejected.",
            Mutability = mutability,
        };

    private static string? BooleanProblem(string text) =>
        text.Equals("yes", StringComparison.OrdinalIgnoreCase) ? null : "argument must be 'yes' or 'no'";

    private static string? AdjustmentProblem(string text) =>
        text.ToUpperInvariant() is "YES" or "RELATIVE" or "ABSOLUTE"
            ? null
            : "argument(s) must be one of the following: no, yes, relative, absolute";

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
