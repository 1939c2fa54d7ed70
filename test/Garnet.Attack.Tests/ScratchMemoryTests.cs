// Commands that compare, gather or compute much: what they need meanwhile is bounded, and other clients do not wait longer than with
// Valkey.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

public sealed class ScratchMemoryTests(ITestOutputHelper output)
{
    private const int LargeBytes = 8 << 20;

    [Fact]
    public void LCS_refuses_long_strings_before_it_takes_memory() =>
        CommandAttack.Compare(
            output,
            "LCS of two strings of 150 MB",
            static server =>
            {
                using RespExchange client = server.Connect();
                client.ExecuteText("SETRANGE", "a", "150000000", "x");
                client.ExecuteText("SETRANGE", "b", "150000000", "x");
            },
            static server =>
            {
                using RespExchange client = server.Connect();
                Assert.StartsWith("-ERR Insufficient memory", client.ExecuteText("LCS", "a", "b"), StringComparison.Ordinal);
            }
        );

    [Fact]
    public void SORT_compares_and_sends_large_values_where_they_lie() =>
        CommandAttack.Compare(
            output,
            "SORT BY and GET of 100 elements and a value of 8 MB",
            static server =>
            {
                using RespExchange client = server.Connect();
                client.ExecuteText(["RPUSH", "list", .. Enumerable.Repeat("1", 100)]);
                client.ExecuteText("SETRANGE", "weight_1", LargeBytes.ToString(System.Globalization.CultureInfo.InvariantCulture), "x");
            },
            static server =>
            {
                using RespExchange client = server.Connect();
                Assert.StartsWith("*100\r\n", client.ExecuteText("SORT", "list", "BY", "weight_*", "ALPHA"), StringComparison.Ordinal);
                Assert.StartsWith(
                    "*5\r\n",
                    Encoding.ASCII.GetString(
                        client.Execute("SORT", "list", "BY", "weight_*", "ALPHA", "LIMIT", "0", "5", "GET", "weight_*")!,
                        0,
                        10
                    ),
                    StringComparison.Ordinal
                );
            }
        );

    [Fact]
    public void SORT_refuses_a_reply_that_no_array_can_hold()
    {
        using var server = AttackedServer.StartGarnet();
        using RespExchange client = server.Connect();
        string[] elements = [.. Enumerable.Range(0, 75_000).Select(i => $"{i}")];
        client.ExecuteText(["RPUSH", "list", .. elements]);
        string[] sort = ["SORT", "list", .. Enumerable.Repeat<string[]>(["GET", "#"], 29_000).SelectMany(pair => pair)];
        Assert.Equal("-ERR The reply of SORT would be too large\r\n", client.ExecuteText(sort));
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
    }

    [Theory]
    [InlineData("ZINTERSTORE", "target", "2", "one", "two")]
    [InlineData("ZDIFFSTORE", "target", "2", "one", "none")]
    [InlineData("ZUNIONSTORE", "target", "2", "one", "two")]
    [InlineData("ZRANGESTORE", "target", "one", "0", "-1")]
    [InlineData("SINTERSTORE", "target", "set", "set")]
    [InlineData("DEBUG", "DIGEST")]
    public void Results_of_many_members_cost_about_what_they_cost_Valkey(params string[] command) =>
        CommandAttack.Compare(
            output,
            string.Join(' ', command),
            Fill,
            server =>
            {
                using RespExchange client = server.Connect();
                Assert.DoesNotContain("-ERR", client.ExecuteText(command), StringComparison.Ordinal);
            },
            "--enable-debug-command",
            "yes"
        );

    [Fact]
    public void RESTORE_of_a_large_sorted_set_costs_about_what_it_costs_Valkey() =>
        CommandAttack.Compare(
            output,
            "RESTORE of a sorted set",
            Fill,
            static server =>
            {
                using RespExchange client = server.Connect();
                byte[] bulk = client.Execute("DUMP", "one")!;
                int start = Array.IndexOf(bulk, (byte)'\n') + 1;
                byte[] payload = bulk[start..^2];
                Assert.Equal(
                    "+OK\r\n",
                    Encoding.ASCII.GetString(
                        client.Execute(["RESTORE"u8.ToArray(), "restored"u8.ToArray(), "0"u8.ToArray(), payload, "REPLACE"u8.ToArray()])!
                    )
                );
            }
        );

    [Fact]
    public void Commands_that_only_read_evict_nothing()
    {
        using var server = AttackedServer.StartGarnet("--maxmemory", "150mb", "--maxmemory-policy", "allkeys-lru");
        using RespExchange client = server.Connect();
        string value = new('v', 1_000);
        for (int i = 0; i < 60_000; i++)
            client.ExecuteText("SET", $"key:{i}", value);
        client.ExecuteText(["RPUSH", "list", .. Enumerable.Range(0, 60_000).Select(i => $"{i}")]);
        string[] sort = ["SORT_RO", "list", "BY", "key:*", "ALPHA", "GET", "key:*", "GET", "#", "LIMIT", "0", "30000"];
        for (int i = 0; i < 3; i++)
            Assert.NotNull(client.Execute(sort));
        // What evicts has had its turn when it has removed what expires.
        client.ExecuteText("SET", "one more", "1", "PX", "1");
        client.AwaitInfo("stats", "expired_keys:1", TimeSpan.FromMinutes(5));
        Assert.Contains("evicted_keys:0\r\n", client.ExecuteText("INFO", "stats"), StringComparison.Ordinal);
    }

    private static void Fill(AttackedServer server)
    {
        using RespExchange client = server.Connect();
        for (int i = 0; i < 100_000; i += 5_000)
        {
            int[] part = [.. Enumerable.Range(i, 5_000)];
            client.ExecuteText(["ZADD", "one", .. part.SelectMany(n => new[] { $"{n}", $"member:{n}" })]);
            client.ExecuteText(["ZADD", "two", .. part.SelectMany(n => new[] { $"{2 * n}", $"member:{n}" })]);
            client.ExecuteText(["SADD", "set", .. part.Select(n => $"member:{n}")]);
        }
    }
}
