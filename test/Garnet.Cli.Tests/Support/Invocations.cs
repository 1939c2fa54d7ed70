// The command lines on which this client and others must agree. Immutable; any thread.
namespace Garnet.Cli.Tests.Support;

/// <summary>All combinations of formats and commands, and what options are for.</summary>
internal static class Invocations
{
    /// <summary>Brings the server into the state that the command lines expect.</summary>
    public static readonly string[][] State =
    [
        ["FLUSHALL"],
        ["SET", "text", "hello world"],
        ["SET", "number", "41"],
        ["SET", "binary", "a\"b\\c\r\n\t\a\b\u0001\u007f\u001b[31m\u00e9"],
        ["SET", "empty", ""],
        ["RPUSH", "list", "one", "two", "three", "4", "5", "6", "7", "8", "9", "10", "eleven"],
        ["RPUSH", "single", "x"],
        ["HSET", "hash", "a", "1", "b", "two words"],
        ["SADD", "set", "only"],
        ["ZADD", "sorted", "1.5", "a", "2", "b"],
        ["XADD", "stream", "1-1", "f", "v", "g", "w"],
        ["XADD", "stream", "2-1", "h", "x"],
    ];

    private static readonly string[][] Formats =
    [
        [],
        ["--no-raw"],
        ["--raw"],
        ["--csv"],
        ["--json"],
        ["--quoted-json"],
        ["-3", "--no-raw"],
        ["-3"],
        ["-3", "--csv"],
        ["-2", "--json"],
        ["-2", "--quoted-json"],
        ["-d", " | ", "-D", "<end>"],
    ];

    private static readonly string[][] Commands =
    [
        ["PING"],
        ["get", "text"],
        ["GET", "binary"],
        ["GET", "missing"],
        ["GET", "empty"],
        ["INCR", "number"],
        ["LRANGE", "list", "0", "-1"],
        ["LRANGE", "missing", "0", "-1"],
        ["LRANGE", "single", "0", "-1"],
        ["HGETALL", "hash"],
        ["HGETALL", "missing"],
        ["SMEMBERS", "set"],
        ["SMEMBERS", "missing"],
        ["ZRANGE", "sorted", "0", "-1", "WITHSCORES"],
        ["ZSCORE", "sorted", "a"],
        ["MGET", "text", "missing", "binary", "empty"],
        ["LPUSH", "text", "x"],
        ["nosuch", "command"],
        ["XRANGE", "stream", "-", "+"],
        ["EVAL", "return {1, {2, {3, 'x'}, {}}, false, redis.error_reply('ERR in the middle'), redis.status_reply('fine')}", "0"],
        ["EVAL", "redis.setresp(3) return {double = 1.25}", "0"],
        ["EVAL", "redis.setresp(3) return {map = {key = 'value'}}", "0"],
        ["EVAL", "redis.setresp(3) return {set = {member = true}}", "0"],
        ["EVAL", "redis.setresp(3) return true", "0"],
    ];

    // Nested maps, whose form has changed.
    private static readonly string[][] NestedMaps =
    [
        ["EVAL", "redis.setresp(3) return {map = {key = {1, 2, {map = {inner = {'a', 'b'}}}}}}", "0"],
        ["XREAD", "STREAMS", "stream", "0"],
    ];

    /// <summary>All command lines.</summary>
    public static IReadOnlyList<Invocation> All { get; } = [.. Combined(), .. Options(), .. Scripts(), .. Mistakes()];

    private static IEnumerable<Invocation> Combined()
    {
        foreach (string[] format in Formats)
        {
            foreach (string[] command in Commands)
                yield return new Invocation([.. format, .. command]);
            foreach (string[] command in NestedMaps)
                yield return new Invocation([.. format, .. command]) { DiffersFromRedis7 = format is ["-3", "--no-raw"] };
        }
    }

    private static IEnumerable<Invocation> Options()
    {
        yield return new("-n", "3", "SET", "there", "1");
        yield return new("-n", "0", "GET", "text");
        yield return new("-r", "3", "INCR", "number");
        yield return new("-r", "0", "INCR", "number");
        yield return new("-r", "2", "-i", "0.01", "--no-raw", "INCR", "number");
        yield return new("-r", "2", "nosuch");
        yield return new("-e", "nosuch");
        yield return new("-e", "GET", "text");
        yield return new("-e", "-r", "3", "LPUSH", "text", "x");
        yield return new("-e", "--json", "LPUSH", "text", "x");
        yield return new("-x", "SET", "text") { Input = "from the input\n\u0000\u00ff" };
        yield return new("-x", "ECHO") { Input = "" };
        yield return new("-x", "--no-raw", "ECHO") { Input = "\u0000\u0001binary" };
        yield return new("-X", "tag", "SET", "tag", "EX", "100") { Input = "k" };
        yield return new("-X", "tag", "MSET", "text", "tag", "other", "tag") { Input = "value" };
        yield return new("--quoted-input", "SET", "\"a\\x00b\"", "'single'");
        yield return new("--quoted-input", "--no-raw", "ECHO", "\"\\x41\\n\\t\\\"\"");
        yield return new("--no-raw", "ECHO", "-n");
        yield return new("ECHO", "--raw");
        yield return new("--no-raw", "ECHO", "\u00e9\u4e16");
        yield return new("--raw", "--no-raw", "GET", "text");
        yield return new("--show-pushes", "no", "PING");
        yield return new("--show-pushes", "y", "-3", "CLIENT", "TRACKING", "on");
        yield return new("--user", "default", "-a", "wrong", "PING");
        yield return new("--pass", "wrong", "--no-auth-warning", "PING");
        yield return new("PING") { Variables = new Dictionary<string, string> { ["REDISCLI_AUTH"] = "wrong" } };
        yield return new("GET", "binary") { Variables = new Dictionary<string, string> { ["FAKETTY"] = "1" } };
        yield return new("--raw", "GET", "binary") { Variables = new Dictionary<string, string> { ["FAKETTY"] = "1" } };
        yield return new("LATENCY", "DOCTOR");
        yield return new("--no-raw", "LATENCY", "RESET");
        yield return new("--no-raw", "CLUSTER", "INFO");
        yield return new("--no-raw", "OBJECT", "HELP");
        yield return new("--no-raw", "UNSUBSCRIBE");
        yield return new("--no-raw", "UNSUBSCRIBE", "a", "b") { DiffersFromRedis7 = true };
        yield return new("-3", "--no-raw", "PUNSUBSCRIBE", "a*") { DiffersFromRedis7 = true };
        yield return new("--no-raw", "COMMAND", "INFO", "get");
        yield return new("--no-raw", "CONFIG", "GET", "maxmemory");
        yield return new("-c", "GET", "text");
        yield return new("-4", "PING") { DiffersFromRedis7 = true };
        yield return new("-t", "5", "PING") { DiffersFromRedis7 = true };
    }

    private static IEnumerable<Invocation> Scripts()
    {
        yield return new() { Input = "SET a 1\nGET a\n" };
        yield return new() { Input = "GET text" };
        yield return new() { Input = "\n\n   \nPING\n" };
        yield return new() { Input = "3 INCR number\n" };
        yield return new() { Input = "ECHO \"two words\" \nECHO 'single \\' quote'\n" };
        yield return new() { Input = "ECHO \"not closed\nPING\n" };
        yield return new() { Input = "nosuch\nPING\n" };
        yield return new() { Input = "PING\nquit\nPING\n" };
        yield return new() { Input = "PING\nEXIT\nPING\n" };
        yield return new() { Input = "MULTI\nSELECT 2\nINCR number\nEXEC\nGET number\n" };
        yield return new() { Input = "MULTI\nSELECT 2\nDISCARD\nGET number\n" };
        yield return new() { Input = "SELECT 4\nSET here 1\nKEYS *\n" };
        yield return new() { Input = "ECHO \"\\x41\\x42\"\n" };
        yield return new("-3") { Input = "HGETALL hash\nRESET\nHGETALL hash\n" };
        yield return new("--no-raw") { Input = "GET text\nGET missing\nLRANGE list 0 2\n" };
        yield return new("--csv") { Input = "LRANGE list 0 2\nnosuch\n" };
        yield return new("--json") { Input = "HGETALL hash\nGET text\n" };
        yield return new("-n", "5") { Input = "SET a 1\nDBSIZE\n" };
        yield return new() { Input = "SUBSCRIBE a\nUNSUBSCRIBE a\nPING\n", DiffersFromRedis7 = true };
    }

    private static IEnumerable<Invocation> Mistakes()
    {
        yield return new("--nosuch");
        yield return new("-n");
        yield return new("-p", "99999", "PING") { DiffersFromRedis7 = true };
        yield return new("-p", "word", "PING") { DiffersFromRedis7 = true };
        yield return new("-2", "-3", "PING");
        yield return new("-x", "-X", "tag", "PING");
        yield return new("-X", "tag", "SET", "a", "b") { Input = "x" };
        yield return new("-u", "http://localhost", "PING");
        yield return new("-u", "redis://user:%4@localhost", "PING");
        yield return new("-u", "redis://user:%zz@localhost", "PING");
        yield return new("-c", "-s", "/tmp/none", "PING");
        yield return new("-s", "/nowhere/at/all", "PING");
        yield return new("--quoted-pattern", "\"open", "--scan");
    }
}
