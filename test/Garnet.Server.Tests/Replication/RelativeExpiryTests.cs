// Relative times to live in the stream of an older primary and in old logs: they count from now, although nothing expires meanwhile.
using System.Globalization;
using System.Text;
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class RelativeExpiryTests
{
    private const long Seconds = 10_000;
    private const string Text = "10000";
    private const string MsText = "10000000";

    // A command, and what tells the remaining time of its key in milliseconds.
    public static TheoryData<string[][], string[]> Commands =>
        new()
        {
            {
                [
                    ["SET", "a", "1", "EX", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1", "PX", MsText],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SETEX", "a", Text, "1"],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["PSETEX", "a", MsText, "1"],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1"],
                    ["EXPIRE", "a", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1"],
                    ["PEXPIRE", "a", MsText],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1"],
                    ["GETEX", "a", "EX", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1"],
                    ["GETEX", "a", "PX", MsText],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1", "SLIDING", MsText],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["MSETEX", "1", "a", "1", "EX", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["HSET", "a", "f", "1"],
                    ["HEXPIRE", "a", Text, "FIELDS", "1", "f"],
                ],
                ["HPTTL", "a", "FIELDS", "1", "f"]
            },
            {
                [
                    ["HSET", "a", "f", "1"],
                    ["HPEXPIRE", "a", MsText, "FIELDS", "1", "f"],
                ],
                ["HPTTL", "a", "FIELDS", "1", "f"]
            },
            {
                [
                    ["HSETEX", "a", "EX", Text, "FIELDS", "1", "f", "1"],
                ],
                ["HPTTL", "a", "FIELDS", "1", "f"]
            },
            {
                [
                    ["HSET", "a", "f", "1"],
                    ["HGETEX", "a", "PX", MsText, "FIELDS", "1", "f"],
                ],
                ["HPTTL", "a", "FIELDS", "1", "f"]
            },
            {
                [
                    ["RESTORE", "a", MsText, Payload],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["EVAL", "redis.call('SETEX', KEYS[1], ARGV[1], 1)", "1", "a", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["EVAL", "redis.call('SET', KEYS[1], 1, 'EX', 5) redis.call('EXPIRE', KEYS[1], ARGV[1])", "1", "a", Text],
                ],
                ["PTTL", "a"]
            },
            {
                [
                    ["SET", "a", "1", "EX", Text],
                    ["EVAL", "redis.call('SET', 'b', redis.call('PTTL', KEYS[1]))", "1", "a"],
                ],
                ["EVAL_RO", "return tonumber(redis.call('GET', 'b'))", "0"]
            },
            {
                [
                    ["MULTI"],
                    ["SET", "a", "1"],
                    ["EXPIRE", "a", Text],
                    ["EXEC"],
                ],
                ["PTTL", "a"]
            },
        };

    private static string Payload
    {
        get
        {
            using InProcessServer server = new();
            server.Call("SET", "a", "1");
            string reply = server.Call("DUMP", "a");
            return reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        }
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task They_count_from_the_moment_at_which_a_stream_is_applied(string[][] commands, string[] question)
    {
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot + Encode(commands));
        using InProcessServer server = new(connector: primary);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        AssertRemaining(server, question);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public void They_count_from_the_moment_at_which_a_log_is_loaded(string[][] commands, string[] question)
    {
        using LoggedServer logged = new(startsOn: false);
        File.WriteAllText(Path.Combine(logged.Dir, "appendonly.aof"), Encode(commands), Encoding.Latin1);
        logged.Restart(static options => options.AppendOnly = true);
        AssertRemaining(logged.Server, question);
    }

    [Fact]
    public async Task A_moment_that_has_passed_is_stored_and_hidden_until_the_primary_deletes_the_key()
    {
        string stream = Encode([
            ["SET", "a", "1"],
            ["PEXPIREAT", "a", "1000"],
            ["SET", "b", "1"],
            ["EXPIRE", "b", "-5"],
            ["INCR", "a"],
        ]);
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot + stream);
        using InProcessServer server = new(connector: primary);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Equal("$-1\r\n", server.Call("GET", "b"));
        Assert.Contains("unexpected_error_replies:0\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Times_in_streams_are_those_of_now()
    {
        string stream = Encode([
            ["EVAL", "redis.call('XADD', KEYS[1], '*', 'f', 'v')", "1", "x"],
            ["XGROUP", "CREATE", "x", "g", "0"],
            ["XGROUP", "CREATECONSUMER", "x", "g", "c"],
            ["EVAL", "redis.call('XREADGROUP', 'GROUP', 'g', 'd', 'STREAMS', KEYS[1], '>')", "1", "x"],
        ]);
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot + stream);
        using InProcessServer server = new(connector: primary);
        long now = server.NowMs;
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Contains(
            string.Create(CultureInfo.InvariantCulture, $"{now}-0"),
            server.Call("XRANGE", "x", "-", "+"),
            StringComparison.Ordinal
        );
        Assert.Contains("$4\r\nidle\r\n:0\r\n", server.Call("XINFO", "CONSUMERS", "x", "g"), StringComparison.Ordinal);
        Assert.DoesNotContain("\r\n:1", server.Call("XPENDING", "x", "g", "-", "+", "1")[..^4], StringComparison.Ordinal);
    }

    // The clock of the test's server stands still.
    private static void AssertRemaining(InProcessServer server, string[] question)
    {
        string reply = server.Call(question);
        Assert.EndsWith(string.Create(CultureInfo.InvariantCulture, $":{Seconds * 1000}\r\n"), reply, StringComparison.Ordinal);
    }

    private static string Encode(string[][] commands) =>
        string.Concat(commands.Select(static command => Encoding.Latin1.GetString(InProcessClient.Request(command))));
}
