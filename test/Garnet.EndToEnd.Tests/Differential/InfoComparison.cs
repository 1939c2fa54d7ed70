// Compares INFO's texts. Stateless; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>
/// The same sections in the same order, no field that the reference lacks but those of this server's own, and equal numbers of calls and
/// errors.
/// </summary>
internal static class InfoComparison
{
    // Sections that only one of them has.
    private static readonly string[] Uncommon = ["Threads", "Persistence", "TLS", "Cluster Info", "Scripting Engines", "Tier"];

    private static readonly string[] OwnFields =
    [
        // The reference listens on a Unix socket, whose line is named listener1.
        "listener0",
        "garnet_version",
        "redis_mode",
        "dotnet_version",
        "garnet_build",
        "transport",
        "io_threads",
        "executing_threads",
        "prefetch_batch_max_size",
        "thread_pool_",
        "processors",
        "store_",
        "managed_heap_",
        "used_memory_log",
        "used_memory_index",
        "used_memory_blocks",
        "used_memory_trees",
        "used_memory_tier",
        "used_memory_connections",
        "used_memory_managed_heap",
        "maxmemory_store",
        "replica_buffer_size_max",
        "replica_sends",
    ];

    /// <summary>Compares two texts.</summary>
    public static bool Same(string expected, string actual)
    {
        Dictionary<string, string[]> wanted = Parse(expected),
            found = Parse(actual);
        return wanted.Keys.SequenceEqual(found.Keys) && wanted.All(section => SameSection(section.Key, section.Value, found[section.Key]));
    }

    private static bool SameSection(string title, string[] expected, string[] actual) =>
        title switch
        {
            "Commandstats" => expected
                .Select(WithoutTimes)
                .Order(StringComparer.Ordinal)
                .SequenceEqual(actual.Select(WithoutTimes).Order(StringComparer.Ordinal)),
            "Errorstats" => expected.SequenceEqual(actual),
            "Keyspace" => expected.Select(WithoutTimeLeft).SequenceEqual(actual.Select(WithoutTimeLeft)),
            _ => actual
                .Select(NameOf)
                .All(name =>
                    expected.Select(NameOf).Contains(name) || Array.Exists(OwnFields, own => name.StartsWith(own, StringComparison.Ordinal))
                ),
        };

    private static string NameOf(string line) => line.Split(':')[0];

    // cmdstat_get:calls=1,usec=2,usec_per_call=2.00,rejected_calls=0,failed_calls=0
    private static string WithoutTimes(string line) =>
        string.Join(',', line.Split(',').Where(part => !part.StartsWith("usec", StringComparison.Ordinal)));

    // The reference estimates the remaining time from occasional samples.
    private static string WithoutTimeLeft(string line) =>
        string.Join(',', line.Split(',').Where(part => !part.StartsWith("avg_ttl", StringComparison.Ordinal)));

    private static Dictionary<string, string[]> Parse(string text) =>
        text.Split("# ", StringSplitOptions.RemoveEmptyEntries)
            .Where(section => section.Contains("\r\n", StringComparison.Ordinal))
            .Select(section => section.Split("\r\n", StringSplitOptions.RemoveEmptyEntries))
            .Where(lines => !Uncommon.Contains(lines[0]))
            .ToDictionary(lines => lines[0], lines => lines[1..]);
}
