// The list of deliberate differences from the references. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>All replies that deliberately differ from a reference's, each with its reason.</summary>
internal static class KnownDifferences
{
    /// <summary>Deliberate differences between the server under test and Valkey 9.1.</summary>
    public static readonly KnownDifference[] FromValkey =
    [
        new(
            "proto-max-bulk-len has the range that values really have here, which is below 2 GiB.",
            (command, expected, actual) =>
                command.Name == "CONFIG"
                && expected.Text.Contains(
                    "'proto-max-bulk-len') - argument must be between 1048576 and",
                    StringComparison.OrdinalIgnoreCase
                )
                && actual.Text.Contains(
                    "'proto-max-bulk-len') - argument must be between 1048576 and 2147418111 inclusive",
                    StringComparison.OrdinalIgnoreCase
                )
        ),
        new(
            "Of several functions whose names are taken, Valkey names one in the order of a hash table whose seed is the process's.",
            (command, expected, actual) => command.Name == "FUNCTION" && IsTakenName(expected.Text) && IsTakenName(actual.Text)
        ),
    ];

    /// <summary>Differences between Valkey 9.1, and so the server under test, and Redis 7.0.</summary>
    public static readonly KnownDifference[] FromRedis70 =
    [
        .. FromValkey,
        new(
            "Redis's errors of scripts name Redis and the script.",
            (command, expected, actual) =>
                IsOfScripts(command) && RedisScriptTexts.AsValkey(expected.Canonical()) == RedisScriptTexts.AsValkey(actual.Canonical())
        ),
        new(
            "Redis has a pool of small integers that keys share.",
            (command, expected, actual) => IsObject(command, "REFCOUNT") && expected.Number > 0 && actual.Number > 0
        ),
        new(
            "Redis embeds strings of up to 44 bytes, whatever the key's length is.",
            (command, expected, actual) => IsObject(command, "ENCODING") && IsStringEncoding(expected) && IsStringEncoding(actual)
        ),
        new(
            "Valkey checks the range's numbers and its unit before it looks at the key.",
            (command, expected, actual) => command.Name is "BITPOS" or "BITCOUNT" && (expected.IsError || actual.IsError)
        ),
        new(
            "Redis checks the cursor before the options and is stricter about it.",
            (command, expected, actual) => command.Name == "SCAN" && (expected.IsError || actual.IsError)
        ),
        new(
            "Valkey tells a timeout that is too large from one that is negative.",
            (command, expected, actual) =>
                command.Name.StartsWith('B') && expected.Text == "ERR timeout is negative" && actual.Text == "ERR timeout is out of range"
        ),
        new(
            "Valkey looks at the longest member that ZADD names, Redis at the one it adds.",
            (command, expected, actual) => IsObject(command, "ENCODING") && expected.Text == "listpack" && actual.Text == "skiplist"
        ),
        new(
            "Redis 7.0 has no listpack for sets.",
            (command, expected, actual) => IsObject(command, "ENCODING") && expected.Text == "hashtable" && actual.Text == "listpack"
        ),
        new(
            "Redis has no WITHSCORE.",
            (command, expected, actual) =>
                command.Name is "ZRANK" or "ZREVRANK" && command.Arguments.Length == 4 && expected.IsError && actual.IsError
        ),
        new(
            "Redis does not say which member is missing.",
            (command, expected, actual) =>
                command.Name.StartsWith("GEO", StringComparison.Ordinal)
                && expected.Text == "ERR could not decode requested zset member"
                && actual.IsError
        ),
        new(
            "Redis has no BYPOLYGON to name.",
            (command, expected, actual) =>
                command.Name.StartsWith("GEOSEARCH", StringComparison.Ordinal)
                && expected.Text.StartsWith("ERR exactly one of BYRADIUS", StringComparison.Ordinal)
                && actual.IsError
        ),
        new(
            "Valkey checks an expiry before it looks at the key.",
            (command, expected, actual) => command.Name == "GETEX" && (expected.IsError || actual.IsError)
        ),
    ];

    /// <summary>Differences between two processes of Redis 7.0, which have hash seeds of their own.</summary>
    public static readonly KnownDifference[] FromAnotherProcess =
    [
        new(
            "Redis lists a user's command rules in the order of a hash table.",
            (command, _, _) => command.Name == "ACL" && command.Argument(1) is "LIST" or "GETUSER"
        ),
    ];

    /// <summary>Whether a difference is in the list.</summary>
    public static bool Cover(KnownDifference[] known, Command command, byte[] expected, byte[] actual) =>
        expected.Length > 0
        && actual.Length > 0
        && Array.Exists(known, each => each.Covers(command, RespNode.Parse(expected), RespNode.Parse(actual)));

    private static bool IsTakenName(string error) =>
        error.StartsWith("ERR Function ", StringComparison.Ordinal) && error.EndsWith(" already exists", StringComparison.Ordinal);

    private static bool IsOfScripts(Command command) =>
        command.Name is "EXEC" or "SCRIPT" or "FUNCTION"
        || command.Name.StartsWith("EVAL", StringComparison.Ordinal)
        || command.Name.StartsWith("FCALL", StringComparison.Ordinal);

    private static bool IsObject(Command command, string subcommand) => command.Name == "OBJECT" && command.Argument(1) == subcommand;

    private static bool IsStringEncoding(RespNode node) => node.Text is "int" or "embstr" or "raw";
}
