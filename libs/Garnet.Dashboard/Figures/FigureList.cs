// What is recorded each second. Immutable.
namespace Garnet.Dashboard.Figures;

/// <summary>
/// The columns of the history, by their numbers: first what INFO says, then calls and latencies of each family. The page knows them by the
/// names in <see cref="Names"/>.
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

    /// <summary>The figures of INFO: the name here, and how each comes from INFO's fields.</summary>
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
    ];

    /// <summary>The column of the latency over all families.</summary>
    public static readonly int AllLatency = OfInfo.Length;

    /// <summary>The first column of the families: calls a second, then percentiles 50, 99 and 99.9 in microseconds, for each.</summary>
    public static readonly int FirstFamily = AllLatency + 1;

    /// <summary>Columns of a family.</summary>
    public const int PerFamily = 4;

    /// <summary>How many columns there are.</summary>
    public static readonly int Count = FirstFamily + (PerFamily * Families.Length);

    /// <summary>The names of the columns.</summary>
    public static readonly string[] Names =
    [
        .. OfInfo.Select(static figure => figure.Name),
        "p99",
        .. Families.SelectMany(static family => new[] { $"{family}/calls", $"{family}/p50", $"{family}/p99", $"{family}/p999" }),
    ];

    /// <summary>Whether a column comes of LATENCY HISTOGRAM, not of INFO.</summary>
    public static bool IsLatency(int column) => column >= AllLatency;
}
