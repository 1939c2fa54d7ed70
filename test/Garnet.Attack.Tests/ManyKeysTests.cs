// Clients that watch or wait for very many keys: others do not pay for it.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

public sealed class ManyKeysTests(ITestOutputHelper output)
{
    private const int Keys = 40_000;

    private static readonly string[] WatchAll = ["WATCH", .. Enumerable.Range(0, Keys).Select(i => $"key:{i}")];

    [Theory]
    [InlineData("UNWATCH")]
    [InlineData("EXEC")]
    [InlineData("DISCARD")]
    [InlineData("leaves")]
    public void Many_watched_keys_end_in_time_proportional_to_their_number(string end) =>
        CommandAttack.Compare(
            output,
            $"{Keys} watched keys, {end}",
            static _ => { },
            server =>
            {
                using RespExchange client = server.Connect();
                Assert.Equal("+OK\r\n", client.ExecuteText(WatchAll));
                Assert.Equal("+OK\r\n", client.ExecuteText(WatchAll));
                if (end is "EXEC" or "DISCARD")
                    client.ExecuteText("MULTI");
                if (end != "leaves")
                {
                    client.ExecuteText(end);
                    return;
                }

                using RespExchange other = server.Connect();
                client.Dispose();
                WaitFor(other, static info => info.Contains("watching_clients:0\r\n", StringComparison.Ordinal));
            }
        );

    [Fact]
    public void Watching_one_key_costs_the_same_beside_many_watched_by_another_client()
    {
        RespExchange? other = null;
        CommandAttack.Compare(
            output,
            $"1,000 x WATCH and UNWATCH beside {Keys} watched keys",
            server =>
            {
                other?.Dispose();
                other = server.Connect();
                other.ExecuteText(WatchAll);
            },
            server => Repeat(server, 1_000, ["WATCH", "one"], ["UNWATCH"])
        );
        other!.Dispose();
    }

    [Fact]
    public void Emptying_a_database_costs_the_same_beside_many_keys_watched_in_another()
    {
        RespExchange? other = null;
        CommandAttack.Compare(
            output,
            $"300 x SET and FLUSHDB beside {Keys} watched keys",
            server =>
            {
                other?.Dispose();
                other = server.Connect();
                other.ExecuteText(WatchAll);
            },
            server => Repeat(server, 300, ["SELECT", "9"], ["SET", "a", "1"], ["FLUSHDB"])
        );
        other!.Dispose();
    }

    [Fact]
    public void A_key_that_hundreds_watch_is_written_as_fast_as_any()
    {
        List<RespExchange> others = [];
        CommandAttack.Compare(
            output,
            "10,000 x SET of a key that 300 clients watch",
            server =>
            {
                others.ForEach(static other => other.Dispose());
                others.Clear();
                for (int i = 0; i < 300; i++)
                {
                    others.Add(server.Connect());
                    others[i].ExecuteText("WATCH", "hot");
                }
            },
            server => Repeat(server, 10_000, ["SET", "hot", "1"])
        );
        others.ForEach(static other => other.Dispose());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Waiting_for_many_keys_costs_in_proportion_to_their_number(bool areDifferent) =>
        CommandAttack.Compare(
            output,
            $"BLPOP of 20,000 keys, different: {areDifferent}",
            static _ => { },
            server =>
            {
                string[] request = ["BLPOP", .. Enumerable.Range(0, 20_000).Select(i => areDifferent ? $"list:{i}" : "list:7"), "0"];
                using RespExchange client = server.Connect();
                using RespExchange other = server.Connect();
                WaitBlocked(server, client, request);
                Assert.Equal(":1\r\n", other.ExecuteText("RPUSH", "list:7", "v"));
                Assert.Equal("*2\r\n$6\r\nlist:7\r\n$1\r\nv\r\n", Text(client.ReadReply()));
            }
        );

    [Fact]
    public void Waiting_for_many_streams_costs_in_proportion_to_their_number() =>
        CommandAttack.Compare(
            output,
            "XREAD BLOCK of 20,000 streams",
            static _ => { },
            server =>
            {
                string[] request =
                [
                    "XREAD",
                    "BLOCK",
                    "0",
                    "STREAMS",
                    .. Enumerable.Range(0, 20_000).Select(i => $"stream:{i}"),
                    .. Enumerable.Repeat("$", 20_000),
                ];
                using RespExchange client = server.Connect();
                using RespExchange other = server.Connect();
                WaitBlocked(server, client, request);
                other.ExecuteText("XADD", "stream:7", "*", "field", "value");
                Assert.StartsWith("*1\r\n*2\r\n$8\r\nstream:7\r\n", Text(client.ReadReply()), StringComparison.Ordinal);
                other.ExecuteText("DEL", "stream:7");
            }
        );

    private static void WaitBlocked(AttackedServer server, RespExchange client, string[] request)
    {
        client.Send(RespExchange.Encode([.. request.Select(System.Text.Encoding.UTF8.GetBytes)]));
        using RespExchange other = server.Connect();
        WaitFor(other, static info => info.Contains("blocked_clients:1\r\n", StringComparison.Ordinal));
    }

    private static void WaitFor(RespExchange client, Predicate<string> isSo)
    {
        for (int i = 0; !isSo(client.ExecuteText("INFO", "clients")); i++)
        {
            Assert.True(i < 3_000, "the clients never came into the state that is waited for");
            Thread.Sleep(10);
        }
    }

    private static string Text(byte[]? reply) => System.Text.Encoding.UTF8.GetString(reply!);

    private static void Repeat(AttackedServer server, int times, params string[][] commands)
    {
        using RespExchange client = server.Connect();
        for (int i = 0; i < times; i++)
        {
            foreach (string[] command in commands)
                client.ExecuteText(command);
        }
    }
}
