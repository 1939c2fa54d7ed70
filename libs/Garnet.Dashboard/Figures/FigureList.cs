// What is recorded each second. Immutable.
namespace Garnet.Dashboard.Figures;

/// <summary>
/// The columns of the history, by their numbers: what INFO says, the calls of each family, then latencies: of all commands, and of each
/// family. The page knows them by the names in <see cref="Names"/>.
/// </summary>
internal static class FigureList
{
    /// <summary>Families of commands, in the order of their columns.</summary>
    public static readonly string[] Families =
    [
        "strings",
        "hashes",
        "lists",
        "sets",
        "sorted sets",
        "streams",
        "keys",
        "messages",
        "scripts",
        "other",
    ];

    /// <summary>
    /// The figures of INFO: the name here, and how each comes from INFO's fields. Those of the tier are unknown where none is on.
    /// </summary>
    public static readonly (string Name, string Field, bool IsRate)[] OfInfo =
    [
        ("commands", "total_commands_processed", true),
        ("bytesIn", "total_net_input_bytes", true),
        ("bytesOut", "total_net_output_bytes", true),
        ("clients", "connected_clients", false),
        ("blocked", "blocked_clients", false),
        ("connects", "total_connections_received", true),
        ("rejected", "rejected_connections", true),
        ("errors", "total_error_replies", true),
        ("used", "used_memory", false),
        ("records", "store_live_record_bytes", false),
        ("index", "used_memory_index", false),
        ("blocks", "used_memory_blocks", false),
        ("trees", "used_memory_trees", false),
        ("connections", "used_memory_connections", false),
        ("managed", "used_memory_managed_heap", false),
        ("tier", "used_memory_tier", false),
        ("resident", "used_memory_rss", false),
        ("limit", "maxmemory", false),
        ("hits", "keyspace_hits", true),
        ("misses", "keyspace_misses", true),
        ("expired", "expired_keys", true),
        ("evicted", "evicted_keys", true),
        ("keys", "keys", false),
        ("unsaved", "rdb_changes_since_last_save", false),
        ("saving", "saving", false),
        ("copied", "current_cow_size", false),
        ("processor", "processor", true),
        ("replicated", "master_repl_offset", true),
        ("cold", "tier_cold_keys", false),
        ("diskUsed", "tier_used_disk", false),
        ("diskLive", "tier_live_disk", false),
        ("diskLimit", "tier_max_disk", false),
        ("movedOut", "tier_moved_out", true),
        ("movedIn", "tier_moved_in", true),
        ("diskReads", "tier_reads", true),
        ("diskWaiting", "tier_reads_waiting", false),
        ("diskErrors", "diskErrors", true),
    ];

    /// <summary>The first column of the families' calls a second, one for each.</summary>
    public static readonly int FirstCalls = OfInfo.Length;

    /// <summary>
    /// The column of the 99th percentile of latency over all families. It and all behind it are in microseconds, and powers of two.
    /// </summary>
    public static readonly int AllLatency = FirstCalls + Families.Length;

    /// <summary>The first column of the families' latencies: percentiles 50, 99 and 99.9 for each.</summary>
    public static readonly int FirstLatency = AllLatency + 1;

    /// <summary>Latencies of a family.</summary>
    public const int LatenciesPerFamily = 3;

    /// <summary>How many columns there are.</summary>
    public static readonly int Count = FirstLatency + (LatenciesPerFamily * Families.Length);

    /// <summary>The names of the columns.</summary>
    public static readonly string[] Names =
    [
        .. OfInfo.Select(static figure => figure.Name),
        .. Families.Select(static family => $"{family}/calls"),
        "p99",
        .. Families.SelectMany(static family => new[] { $"{family}/p50", $"{family}/p99", $"{family}/p999" }),
    ];

    /// <summary>Whether a column comes of LATENCY HISTOGRAM, not of INFO.</summary>
    public static bool IsOfHistogram(int column) => column >= FirstCalls;

    /// <summary>Whether a column is a latency.</summary>
    public static bool IsLatency(int column) => column >= AllLatency;
}
