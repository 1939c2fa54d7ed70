// Options of earlier versions of Redis and Valkey, and a few of later ones of Redis, for parts that this server does not have. Stateless;
// any thread.
namespace Garnet.Server.Configuration;

/// <summary>
/// Names that files may contain but that are not options any more: Valkey itself passes over some of them, and the others were dropped
/// before. They are passed over with a message; where one would turn on a feature that is gone, it is refused.
/// </summary>
internal static class RetiredOptions
{
    private const string Swap = "the virtual memory of Redis 2 no longer exists";

    private static readonly Dictionary<string, (string Why, string? Only)> All = new(StringComparer.OrdinalIgnoreCase)
    {
        ["list-max-ziplist-entries"] = ("list-max-listpack-size limits the nodes of lists", null),
        ["list-max-ziplist-value"] = ("list-max-listpack-size limits the nodes of lists", null),
        ["hash-max-zipmap-entries"] = ("it is hash-max-listpack-entries now", null),
        ["hash-max-zipmap-value"] = ("it is hash-max-listpack-value now", null),
        ["lua-replicate-commands"] = ("scripts always replicate their effects", null),
        ["io-threads-do-reads"] = ("I/O threads always read, too", null),
        ["events-per-io-thread"] = ("the number of busy I/O threads follows the load", null),
        ["dynamic-hz"] = ("periodic work always adapts to the load", null),
        ["sanitize-dump-payload"] = ("payloads are always checked", null),
        ["glueoutputbuf"] = ("replies are always sent together", null),
        ["shareobjects"] = ("equal values are not shared", null),
        ["shareobjectspoolsize"] = ("equal values are not shared", null),
        ["vm-enabled"] = (Swap, "no"),
        ["vm-swap-file"] = (Swap, null),
        ["vm-max-memory"] = (Swap, null),
        ["vm-page-size"] = (Swap, null),
        ["vm-pages"] = (Swap, null),
        ["vm-max-threads"] = (Swap, null),
        ["gopher-enabled"] = ("the server does not speak Gopher", "no"),
        ["repl-rdb-channel"] = ("snapshots go to replicas over their connection", null),
        ["replica-full-sync-buffer-limit"] = ("client-output-buffer-limit limits what waits for a replica", null),
        ["lookahead"] = ("prefetch-batch-max-size says how far the server looks ahead", null),
        ["cluster-compatibility-sample-ratio"] = ("cluster mode is not implemented", null),
    };

    /// <summary>All names.</summary>
    public static IReadOnlyCollection<string> Names => All.Keys;

    /// <summary>Whether a name in any letter case is one of them.</summary>
    public static bool Contains(string name) => All.ContainsKey(name);

    /// <summary>Why such an option has no effect.</summary>
    public static string Reason(string name) => All[name].Why;

    /// <summary>Why a value is refused; null when the option is passed over.</summary>
    public static string? FindProblem(string name, IReadOnlyList<string> value)
    {
        (string why, string? only) = All[name];
        return only is null || (value is [var single] && single.Equals(only, StringComparison.OrdinalIgnoreCase))
            ? null
            : $"only '{only}' is accepted: {why}";
    }
}
