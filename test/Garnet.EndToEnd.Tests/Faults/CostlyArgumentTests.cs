// Single requests that have crashed or hung other servers of this kind: a clear reply, little processor time, and the memory returned
// afterwards. One process per test.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class CostlyArgumentTests(ITestOutputHelper output)
{
    private const long AllowedGrowth = 64L << 20;

    private static readonly TimeSpan AllowedProcessorTime = TimeSpan.FromSeconds(1);

    // For the first use of 512 MB, because a virtual machine whose host takes back unused memory needs more than a second for it.
    private static readonly TimeSpan AllowedWithFreshMemory = TimeSpan.FromSeconds(2);

    // Preparation, request, and the beginning of the reply.
    private static readonly (string[] Preparation, string[] Request, string Expected)[] Requests =
    [
        ([], ["SETRANGE", "k", "536870911", "x"], ":536870912\r\n"),
        ([], ["SETRANGE", "k", "536870912", "x"], "-ERR string exceeds maximum allowed size"),
        ([], ["SETRANGE", "k", "9223372036854775807", "x"], "-ERR string exceeds maximum allowed size"),
        ([], ["SETRANGE", "k", "-9223372036854775808", "x"], "-ERR offset is out of range"),
        ([], ["SETBIT", "k", "4294967295", "1"], ":0\r\n"),
        ([], ["SETBIT", "k", "4294967296", "1"], "-ERR bit offset is not an integer or out of range"),
        ([], ["BITFIELD", "k", "SET", "u8", "#536870911", "255"], "*1\r\n:0\r\n"),
        ([], ["BITFIELD", "k", "SET", "u8", "#536870912", "255"], "-ERR bit offset is not an integer or out of range"),
        ([], ["BITFIELD", "k", "SET", "i64", "#9223372036854775807", "1"], "-ERR bit offset is not an integer or out of range"),
        ([], ["BITFIELD", "k", "GET", "u8", "9223372036854775807"], "-ERR bit offset is not an integer or out of range"),
        (["SETBIT k 4294967295 1"], ["BITCOUNT", "k", "-9223372036854775808", "9223372036854775807"], ":1\r\n"),
        (["SETBIT k 4294967295 1"], ["BITPOS", "k", "1"], ":4294967295\r\n"),
        (["SETBIT k 4294967295 1"], ["BITPOS", "k", "0", "-9223372036854775808", "9223372036854775807", "BIT"], ":0\r\n"),
        (["SETBIT k 4294967295 1"], ["BITOP", "NOT", "d", "k"], ":536870912\r\n"),
        (["SETBIT k 4294967295 1"], ["GETRANGE", "k", "9223372036854775807", "-9223372036854775808"], "$0\r\n"),
        (["SETBIT k 4294967295 1"], ["GETRANGE", "k", "-3", "9223372036854775807"], "$3\r\n"),
        (["SETBIT k 4294967295 1"], ["APPEND", "k", "x"], "-ERR string exceeds maximum allowed size"),
        (["SETBIT k 4294967295 1"], ["INCR", "k"], "-ERR value is not an integer or out of range"),
        (["SETBIT k 4294967295 1"], ["PFADD", "k", "x"], "-WRONGTYPE"),
        (["SETRANGE k 999999 a", "SETRANGE l 999999 b"], ["LCS", "k", "l"], "-ERR Insufficient memory"),
        (["SETRANGE k 999999 a", "SETRANGE l 999999 b"], ["LCS", "k", "l", "LEN"], "-ERR Insufficient memory"),
        (["SETRANGE k 7999 a", "SETRANGE l 7999 b"], ["LCS", "k", "l", "LEN"], ":7999\r\n"),
        (["SETRANGE aaaa 10 a"], ["KEYS", Repeat("a*", 50) + "b"], "*0\r\n"),
        (["long"], ["KEYS", Repeat("a*", 1000) + "b"], "*0\r\n"),
        (["long"], ["KEYS", Repeat("*?", 50_000)], "*"),
        (["long"], ["KEYS", Repeat("*a", 10_000) + "b"], "*0\r\n"),
        (["long"], ["KEYS", Repeat("[^b]*", 1000) + "b"], "*0\r\n"),
        (["long"], ["SCAN", "0", "COUNT", "9223372036854775807", "MATCH", Repeat("a*", 1000) + "b"], "*2\r\n$1\r\n0\r\n*0\r\n"),
        (["long"], ["SCAN", "18446744073709551615", "COUNT", "9223372036854775807"], "*2\r\n"),
        ([], ["SCAN", "18446744073709551616"], "-ERR invalid cursor"),
        (["subscribed"], ["PUBLISH", new string('a', 100_000), "m"], ":50\r\n"),
        (["subscribed"], ["PUBSUB", "CHANNELS", Repeat("a*", 1000) + "b"], "*0\r\n"),
        (["restricted"], ["ACL", "DRYRUN", "guest", "GET", new string('a', 100_000)], "$"),
        (["restricted"], ["ACL", "DRYRUN", "guest", "PUBLISH", new string('a', 100_000), "m"], "$"),
        ([], ["MSETNX", "k", "1", "k", "2"], ":1\r\n"),
        (["SET k 9223372036854775807"], ["INCR", "k"], "-ERR increment or decrement would overflow"),
        (["SET k -9223372036854775808"], ["DECRBY", "k", "-9223372036854775808"], "-ERR decrement would overflow"),
        (["SET k 1e4932"], ["INCRBYFLOAT", "k", "1e4932"], "-ERR increment would produce NaN or Infinity"),
        (["SET k v"], ["EXPIRE", "k", "9223372036854775807"], "-ERR invalid expire time in 'expire' command"),
        (["SET k v"], ["PEXPIRE", "k", "9223372036854775807"], "-ERR invalid expire time in 'pexpire' command"),
        (["SET k v"], ["EXPIRE", "k", "-9223372036854775808"], "-ERR invalid expire time in 'expire' command"),
        ([], ["SET", "k", "v", "EX", "9223372036854775807"], "-ERR invalid expire time in 'set' command"),
        (["SET k v"], ["GETEX", "k", "PXAT", "-1"], "-ERR invalid expire time in 'getex' command"),
        (["SET k v"], ["COPY", "k", "k"], "-ERR source and destination objects are the same"),
        (["HSET h a 1 b 2"], ["HRANDFIELD", "h", "-9223372036854775808"], "-ERR value is out of range, value must between"),
        (["HSET h a 1 b 2"], ["HRANDFIELD", "h", "-9223372036854775807"], "-ERR value is out of range"),
        (["HSET h a 1 b 2"], ["HRANDFIELD", "h", "-4611686018427387903", "WITHVALUES"], "-ERR value is out of range"),
        (["HSET h a 1 b 2"], ["HRANDFIELD", "h", "9223372036854775807"], "*2\r\n"),
        (["SADD s a b"], ["SRANDMEMBER", "s", "-9223372036854775808"], "-ERR value is out of range, value must between"),
        (["SADD s a b"], ["SRANDMEMBER", "s", "-9223372036854775807"], "-ERR value is out of range"),
        (["SADD s a b"], ["SPOP", "s", "9223372036854775807"], "*2\r\n"),
        (["SADD s a b"], ["SPOP", "s", "-9223372036854775808"], "-ERR value is out of range, must be positive"),
        (["SADD s a b"], ["SINTERCARD", "9223372036854775807", "s"], "-ERR Number of keys can't be greater than number of args"),
        (
            ["SADD s a b"],
            ["SSCAN", "s", "18446744073709551615", "COUNT", "9223372036854775807", "MATCH", Repeat("a*", 1000) + "b"],
            "*2\r\n"
        ),
        (["HSET h a 1e4932"], ["HINCRBYFLOAT", "h", "a", "1e4932"], "-ERR increment would produce NaN or Infinity"),
        (["HSET h a 1"], ["HINCRBYFLOAT", "h", "a", "inf"], "-ERR value is NaN or Infinity"),
        (["HSET h a -9223372036854775808"], ["HINCRBY", "h", "a", "-1"], "-ERR increment or decrement would overflow"),
        (["HSET h a 1"], ["HEXPIRE", "h", "9223372036854775807", "FIELDS", "1", "a"], "-ERR invalid expire time in 'hexpire' command"),
        (["HSET h a 1"], ["HPEXPIRE", "h", "1", "FIELDS", "9223372036854775807", "a"], "-ERR numfields should be greater than 0"),
        ([], ["HSETEX", "h", "FIELDS", "-9223372036854775808", "a", "1"], "-ERR numfields should be greater than 0"),
        ([], ["CLIENT", "PAUSE", "9223372036854775807"], "-ERR timeout is out of range"),
        ([], ["WAIT", "0", "9223372036854775807"], "-ERR timeout is out of range"),
        ([], ["COMMAND", "GETKEYS", "MSETEX", "9223372036854775807", "a", "b"], "-ERR"),
        ([], ["OBJECT", "ENCODING", "absent"], "$-1\r\n"),
        ([], ["ECHO", "-ERR x\r\n+OK"], "$11\r\n-ERR x\r\n+OK\r\n"),
        ([], ["NOSUCH\r\n+OK"], "-ERR unknown command 'NOSUCH  +OK'"),
        ([], ["CLIENT", "a\r\n+OK"], "-ERR unknown subcommand 'a  +OK'"),
    ];

    [Fact]
    public void Each_request_costs_little_and_leaves_nothing()
    {
        using var target = new FaultTarget("epoll");
        using RespExchange client = target.Connect();
        using RespExchange subscriber = target.Connect();
        client.ExecuteText("PING");
        long before = target.ResidentBytes;
        List<string> failures = [];
        foreach ((string[] preparation, string[] request, string expected) in Requests)
        {
            foreach (string command in preparation)
                Prepare(client, command, subscriber);
            TimeSpan start = target.ProcessorTime;
            string reply = Encoding.Latin1.GetString(client.Execute(request) ?? []);
            TimeSpan used = target.ProcessorTime - start;
            string name = string.Join(' ', request.Select(word => word.Length > 40 ? word[..40] + "..." : word));
            output.WriteLine($"{used.TotalMilliseconds, 6} ms of processor time: {name}");
            if (!reply.StartsWith(expected, StringComparison.Ordinal))
                failures.Add($"{name}: answered {(reply.Length > 200 ? reply[..200] : reply)} instead of {expected}");
            // Time depends on the machine (half a gigabyte of fresh memory costs the system up to a second), so it is asserted only in full
            // runs.
            bool usesFreshMemory = request is ["SETRANGE", _, "536870911", _] or ["BITOP", ..] or ["SETBIT", _, "4294967295", _];
            if (FaultScale.IsFull && used > (usesFreshMemory ? AllowedWithFreshMemory : AllowedProcessorTime))
                failures.Add($"{name}: took {used.TotalMilliseconds} ms of processor time");
            Assert.Equal("$4\r\nmark\r\n", client.ExecuteText("ECHO", "mark"));
            Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
            target.AwaitResident(before + AllowedGrowth);
        }

        Assert.True(failures.Count == 0, string.Join(Environment.NewLine, failures));
        target.AssertEndsWell();
    }

    private static void Prepare(RespExchange client, string command, RespExchange subscriber)
    {
        switch (command)
        {
            case "long":
                client.ExecuteText("SET", new string('a', 100_000), "v");
                break;
            case "subscribed":
                // Of each pair one matches what is published.
                foreach (string pattern in Exploding(50))
                    subscriber.ExecuteText("PSUBSCRIBE", pattern);
                break;
            case "restricted":
                string[] rules =
                [
                    .. Exploding(50).Where(static each => each.EndsWith('b')).SelectMany(static each => (string[])["~" + each, "&" + each]),
                ];
                client.ExecuteText(["ACL", "SETUSER", "guest", "reset", "on", "nopass", "+@all", .. rules]);
                break;
            default:
                client.ExecuteText(command.Split(' '));
                break;
        }
    }

    private static IEnumerable<string> Exploding(int pairs) =>
        Enumerable.Range(1, pairs).SelectMany(static i => (string[])[Repeat("a*", 20 * i) + "b", Repeat("*a", 20 * i)]);

    private static string Repeat(string part, int times) => string.Concat(Enumerable.Repeat(part, times));
}
