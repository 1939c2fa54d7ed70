// Unfinished requests are memory like any other: seen, bounded and given back. Each test has a process of its own.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests;

public sealed class ClientMemoryTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_large_value_on_its_way_counts_as_its_client_s_and_as_used(string transport)
    {
        using var server = AttackedServer.StartGarnet("--transport", transport);
        using RespExchange watcher = server.Connect();
        long before = Info(watcher, "used_memory");
        using RespExchange client = server.Connect();
        BeginValue(client, 60 * Megabyte, 40 * Megabyte);
        Await(() => ClientField(watcher, "qbuf") >= 39 * Megabyte, () => watcher.ExecuteText("CLIENT", "LIST"));
        Assert.True(ClientField(watcher, "tot-mem") >= 39 * Megabyte);
        Await(() => Info(watcher, "used_memory") - before >= 39 * Megabyte, () => "used_memory does not show it");
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Large_values_on_their_way_evict_keys_and_make_writes_fail(string transport)
    {
        foreach (
            Func<AttackedServer?> start in (Func<AttackedServer?>[])
                [
                    () => AttackedServer.StartGarnet("--transport", transport, "--maxmemory", "60mb", "--maxmemory-policy", "allkeys-lru"),
                    () => AttackedServer.TryStartValkey("--maxmemory", "60mb", "--maxmemory-policy", "allkeys-lru"),
                ]
        )
        {
            using AttackedServer? server = start();
            if (server is null)
                return;
            using RespExchange watcher = server.Connect();
            for (int i = 0; i < 100; i++)
            {
                Assert.Equal(
                    "+OK\r\n",
                    Encoding.ASCII.GetString(
                        watcher.Execute([
                            [.. "SET"u8],
                            Encoding.ASCII.GetBytes($"k{i}"),
                            new byte[100_000],
                        ])!
                    )
                );
            }

            using RespExchange first = server.Connect();
            using RespExchange second = server.Connect();
            BeginValue(first, 60 * Megabyte, 40 * Megabyte);
            BeginValue(second, 60 * Megabyte, 40 * Megabyte);
            Await(
                () => watcher.ExecuteText("SET", "small", "value").StartsWith("-OOM", StringComparison.Ordinal),
                () => watcher.ExecuteText("INFO", "memory")
            );
            output.WriteLine(
                $"{server.Name}: used_memory {Info(watcher, "used_memory") / Megabyte} MB, {watcher.ExecuteText("DBSIZE").Trim()} keys left of 100"
            );
            Assert.True(Info(watcher, "evicted_keys") > 50);
        }
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_large_value_on_its_way_is_cut_by_the_limits_of_clients(string transport)
    {
        using var server = AttackedServer.StartGarnet("--transport", transport, "--maxmemory-clients", "20mb");
        using RespExchange watcher = server.Connect();
        using (RespExchange client = server.Connect())
        {
            Assert.True(IsCut(client, 60 * Megabyte));
            Assert.Equal(1, Info(watcher, "evicted_clients"));
        }

        Assert.Equal("+OK\r\n", watcher.ExecuteText("CONFIG", "SET", "maxmemory-clients", "0", "client-query-buffer-limit", "20mb"));
        using (RespExchange client = server.Connect())
            Assert.True(IsCut(client, 60 * Megabyte));
        using (RespExchange client = server.Connect())
        {
            // Many arguments below that size count together.
            byte[] request = RespExchange.Encode([.. Enumerable.Repeat(new byte[10_000], 4_000)]);
            Assert.False(client.TrySend(request) && client.ReadReply() is not null);
        }

        Assert.Equal(2, Info(watcher, "client_query_buffer_limit_disconnections"));
        Await(() => Info(watcher, "store_block_bytes") == 0, () => watcher.ExecuteText("INFO", "memory"));
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Clients_before_AUTH_have_one_bound_together_and_a_login_gets_through(string transport)
    {
        using var server = AttackedServer.StartGarnet("--transport", transport, "--requirepass", "secret", "--maxclients", "2000");
        using (RespExchange client = Login(server))
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        long before = server.ResidentBytes;
        server.ResetPeak();
        byte[] request = RespExchange.Encode([.. Enumerable.Repeat(new byte[16 * 1024], 10)]);
        var strangers = new List<RespExchange>();
        for (int i = 0; i < FaultScale.Count(400, 1000); i++)
        {
            RespExchange stranger = server.Connect();
            stranger.TrySend(request.AsSpan(0, request.Length - 1));
            strangers.Add(stranger);
        }

        byte[] login = RespExchange.Encode([
            .. ((string[])["HELLO", "3", "AUTH", "default", "secret", "SETNAME", new string('n', 3900)]).Select(Encoding.ASCII.GetBytes),
        ]);
        using (RespExchange slow = server.Connect())
        {
            for (int sent = 0; sent < login.Length; sent += 500)
            {
                slow.Send(login.AsSpan(sent, Math.Min(500, login.Length - sent)));
                strangers[sent / 500].TrySend("\r"u8);
            }

            Assert.Equal((byte)'%', slow.ReadReply()![0]);
        }

        long grown = server.PeakResidentBytes - before;
        output.WriteLine($"{strangers.Count} strangers of {request.Length} bytes: {grown / Megabyte} MB at most");
        Assert.True(grown < 64 * Megabyte, $"{grown / Megabyte} MB");
        strangers.ForEach(stranger => stranger.Dispose());
        using RespExchange watcher = Login(server);
        Assert.True(Info(watcher, "client_query_buffer_limit_disconnections") > 200);
        Await(() => server.ResidentBytes < before + (24 * Megabyte), () => $"{(server.ResidentBytes - before) / Megabyte} MB stay");
    }

    private static RespExchange Login(AttackedServer server)
    {
        RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("AUTH", "secret"));
        return client;
    }

    private static void BeginValue(RespExchange client, long length, long sent)
    {
        client.Send(Encoding.ASCII.GetBytes($"*3\r\n$3\r\nSET\r\n$5\r\nlarge\r\n${length}\r\n"));
        byte[] piece = new byte[Megabyte];
        for (long i = 0; i < sent; i += piece.Length)
            client.Send(piece);
    }

    private static bool IsCut(RespExchange client, long length)
    {
        try
        {
            BeginValue(client, length, length);
            client.Send("\r\n"u8);
            return client.ReadReply() is null;
        }
        catch (SocketException)
        {
            return true;
        }
    }

    private static long Info(RespExchange client, string field)
    {
        string line = client
            .ExecuteText("INFO", "everything")
            .Split("\r\n")
            .First(each => each.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line[(field.Length + 1)..], CultureInfo.InvariantCulture);
    }

    // The largest of all clients.
    private static long ClientField(RespExchange client, string field) =>
        client
            .ExecuteText("CLIENT", "LIST")
            .Split('\n', ' ')
            .Where(each => each.StartsWith(field + "=", StringComparison.Ordinal))
            .Max(each => long.Parse(each[(field.Length + 1)..], CultureInfo.InvariantCulture));

    private static void Await(Func<bool> condition, Func<string> failure) => FaultTarget.Await(condition, failure);
}
