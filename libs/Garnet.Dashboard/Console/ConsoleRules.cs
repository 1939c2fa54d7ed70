// What the console runs. Immutable; any thread.
namespace Garnet.Dashboard.Console;

/// <summary>
/// The user's own rules come first; these are about the page. It shares its connection, so nothing may change that; it is read-only unless
/// the server says otherwise; and what Valkey calls dangerous is asked for twice.
/// </summary>
internal static class ConsoleRules
{
    // Commands about the connection, and those whose replies never end.
    private static readonly HashSet<string> OfConnection = new(StringComparer.OrdinalIgnoreCase)
    {
        "auth",
        "hello",
        "reset",
        "quit",
        "multi",
        "exec",
        "discard",
        "watch",
        "unwatch",
        "subscribe",
        "psubscribe",
        "ssubscribe",
        "unsubscribe",
        "punsubscribe",
        "sunsubscribe",
        "monitor",
        "sync",
        "psync",
        "replconf",
        "asking",
        "readonly",
        "readwrite",
        "client|reply",
        "client|tracking",
        "client|caching",
        "client|setname",
        "client|setinfo",
        "client|capa",
        "client|import-source",
        "client|no-touch",
        "client|no-evict",
    };

    // Commands that are not flagged as reading, as they read no keys.
    private static readonly HashSet<string> Looking = new(StringComparer.OrdinalIgnoreCase)
    {
        "acl|cat",
        "acl|dryrun",
        "acl|getuser",
        "acl|list",
        "acl|users",
        "acl|whoami",
        "client|getname",
        "client|id",
        "client|info",
        "client|list",
        "command",
        "command|count",
        "command|docs",
        "command|getkeys",
        "command|getkeysandflags",
        "command|info",
        "command|list",
        "commandlog|get",
        "commandlog|len",
        "config|get",
        "echo",
        "function|list",
        "function|stats",
        "info",
        "lastsave",
        "latency|doctor",
        "latency|histogram",
        "latency|history",
        "latency|latest",
        "lolwut",
        "memory|doctor",
        "memory|stats",
        "module|list",
        "ping",
        "pubsub|channels",
        "pubsub|numpat",
        "pubsub|numsub",
        "pubsub|shardchannels",
        "pubsub|shardnumsub",
        "role",
        "script|exists",
        "slowlog|get",
        "slowlog|len",
        "time",
    };

    /// <summary>What the console says to a command instead of running it.</summary>
    /// <param name="name">The command, with its subcommand as in <c>config|get</c>.</param>
    /// <param name="traits">What it does; null when there is no such command.</param>
    /// <param name="allowsWrites">Whether the server lets the console change anything.</param>
    public static Verdict Judge(string name, CommandTraits? traits, bool allowsWrites)
    {
        if (OfConnection.Contains(name))
            return new Verdict($"{name} is about a connection, and the console's is not its own.", Asks: false);
        // A command that does not exist is the server's to refuse.
        if (traits is not { } known)
            return default;
        bool isLooking = Looking.Contains(name) || name.EndsWith("|help", StringComparison.OrdinalIgnoreCase);
        if (isLooking)
            return default;
        // Scripts that only read keys can still empty logs, write into them, and run for as long as they like.
        bool onlyReads = known.IsReadOnly && !known.IsOfScripts;
        if (!allowsWrites && !onlyReads)
            return new Verdict($"{name} may change something, and this console only reads (dashboard-writes no).", Asks: false);
        return known.IsDangerous ? new Verdict($"{name} can be dangerous. Run it?", Asks: true) : default;
    }

    /// <summary>Why a command is not run, and whether it is once the user has confirmed it; no text for one that runs.</summary>
    internal readonly record struct Verdict(string? Text, bool Asks);
}
