// Ways in which connections end, without affecting anything else. Each test has its own server.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class ConnectionEndTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData("epoll", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n")]
    [InlineData("epoll", "\r\nHost: x\r\n")]
    [InlineData("epoll", "*2\r\n$5\r\nhOsT:\r\n$1\r\nx\r\n")]
    [InlineData("sockets", "POST / HTTP/1.1\r\nHost: x\r\n\r\n")]
    public void An_HTTP_request_drops_the_connection_before_its_body(string transport, string request)
    {
        using var target = new FaultTarget(transport);
        using (RespExchange browser = target.Connect())
        {
            browser.Send(Encoding.ASCII.GetBytes("PING\r\n" + request + "SET k v\r\n"));
            Assert.Equal("+PONG\r\n", Encoding.ASCII.GetString(browser.ReadReply()!));
            Assert.Null(browser.ReadReply());
        }

        using RespExchange client = target.Connect();
        Assert.Equal(":0\r\n", client.ExecuteText("EXISTS", "k"));
        target.AwaitLog("Possible attack");
        target.AssertEndsWell();
    }

    [Fact]
    public void A_client_that_disconnects_right_after_a_blocking_command_is_removed()
    {
        using var target = new FaultTarget("epoll");
        using RespExchange steady = target.Connect();
        for (int round = 0; round < FaultScale.Count(200, 5000); round++)
        {
            // Request and disconnection may reach the server as one event, with no further notification of the disconnection.
            using RespExchange client = target.Connect();
            client.Send("PING\r\nBLPOP none 0\r\n"u8);
        }

        FaultTarget.Await(
            () => steady.ExecuteText("CLIENT", "LIST").Split("id=").Length == 2,
            () => "The ended clients must be gone: " + steady.ExecuteText("CLIENT", "LIST")
        );
        target.AssertEndsWell();
    }

    [Fact]
    public void A_client_that_disconnects_while_paused_is_removed_before_the_pause_ends()
    {
        using var target = new FaultTarget("epoll");
        using RespExchange steady = target.Connect();
        Assert.Equal("+OK\r\n", steady.ExecuteText("CLIENT", "PAUSE", "600000", "WRITE"));
        for (int round = 0; round < 20; round++)
        {
            using RespExchange client = target.Connect();
            // After a reply it is certainly registered as a client, so that its end can be waited for below.
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
            client.Send("SET k v\r\n"u8);
        }

        FaultTarget.Await(
            () => steady.ExecuteText("CLIENT", "LIST").Split("id=").Length == 2,
            () => "The ended clients must be gone: " + steady.ExecuteText("CLIENT", "LIST")
        );
        Assert.Equal("+OK\r\n", steady.ExecuteText("CLIENT", "UNPAUSE"));
        Assert.Equal(":0\r\n", steady.ExecuteText("EXISTS", "k"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Never_more_than_maxclients_are_served(string transport)
    {
        const int Most = 20;
        using var target = new FaultTarget(transport, "--maxclients", $"{Most}", "--io-threads", "4");
        for (int round = 0; round < FaultScale.Count(5, 200); round++)
        {
            RespExchange[] clients = await Task.WhenAll(Enumerable.Range(0, 5 * Most).Select(_ => Task.Run(target.Connect)));
            string[] replies = await Task.WhenAll(
                clients.Select(client => Task.Run(() => Encoding.ASCII.GetString(client.Execute("PING") ?? [])))
            );
            Assert.InRange(replies.Count(reply => reply == "+PONG\r\n"), 1, Most);
            Assert.All(
                replies.Where(reply => reply is not "+PONG\r\n" and not ""),
                reply => Assert.Equal("-ERR max number of clients reached\r\n", reply)
            );
            foreach (RespExchange client in clients)
                client.Dispose();
            FaultTarget.Await(() => IsServed(target), () => "The places must be free again.");
        }

        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void Idle_clients_are_disconnected_and_blocked_ones_stay(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange idle = target.Connect();
        using RespExchange half = target.Connect();
        using RespExchange waiting = target.Connect();
        half.Send("*1\r\n$4\r\nPI"u8);
        waiting.Send(FaultTarget.Pipeline(1, "WAIT", "1", "4000"));
        FaultTarget.Await(() => target.Info("blocked_clients") == 1, () => "It must wait.");
        using (RespExchange admin = target.Connect())
            Assert.Equal("+OK\r\n", admin.ExecuteText("CONFIG", "SET", "timeout", "1"));
        Assert.Null(idle.ReadReply());
        Assert.Null(half.ReadReply());
        Assert.Equal(":0\r\n", Encoding.ASCII.GetString(waiting.ReadReply()!));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void What_follows_QUIT_is_not_executed(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange leaving = target.Connect();
        leaving.Send([
            .. FaultTarget.Pipeline(1, "SET", "k", "1"),
            .. FaultTarget.Pipeline(1, "QUIT"),
            .. FaultTarget.Pipeline(1, "SET", "k", "2"),
        ]);
        Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(leaving.ReadReply()!));
        Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(leaving.ReadReply()!));
        Assert.Null(leaving.ReadReply());
        using RespExchange client = target.Connect();
        Assert.Equal("$1\r\n1\r\n", client.ExecuteText("GET", "k"));
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public async Task Clients_killed_during_a_pipeline_leave_only_complete_commands(string transport)
    {
        using var target = new FaultTarget(transport, "--io-threads", "2");
        using RespExchange killer = target.Connect();
        for (int round = 0; round < FaultScale.Count(20, 1000); round++)
        {
            using RespExchange victim = target.Connect();
            string id = victim.ExecuteText("CLIENT", "ID")[1..^2];
            byte[] pipeline = FaultTarget.Pipeline(20_000, "MSET", "a", $"{round}", "b", $"{round}");
            Task sending = Task.Run(() => victim.TrySend(pipeline));
            Assert.Equal(":1\r\n", killer.ExecuteText("CLIENT", "KILL", "ID", id));
            await sending.WaitAsync(Patience);
            while (victim.ReadReply() is { } reply)
                Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(reply));
            string both = killer.ExecuteText("MGET", "a", "b");
            Assert.True(both == "*2\r\n$-1\r\n$-1\r\n" || both.Split("\r\n")[2] == both.Split("\r\n")[4], both);
        }

        FaultTarget.Await(() => target.Info("connected_clients") == 2, () => "The killed clients must be gone.");
        target.AssertEndsWell();
    }

    [Theory]
    [InlineData("epoll", 10_000)]
    [InlineData("epoll", 1_000_000)]
    [InlineData("sockets", 10_000)]
    [InlineData("sockets", 1_000_000)]
    public void A_termination_with_200_busy_connections_is_clean(string transport, int valueBytes)
    {
        using var target = new FaultTarget(transport);
        using (RespExchange client = target.Connect())
            client.ExecuteText("SET", "large", new string('x', valueBytes));
        byte[] pipeline = [.. FaultTarget.Pipeline(50, "SET", "k", "v"), .. FaultTarget.Pipeline(5, "GET", "large")];
        var busy = new List<Socket>();
        for (int i = 0; i < 200; i++)
        {
            Socket socket = target.ConnectSocket();
            socket.Send(i % 4 == 0 ? pipeline.AsSpan(0, pipeline.Length - 3) : pipeline);
            busy.Add(socket);
        }

        target.AssertEndsWell();
        busy.ForEach(socket => socket.Dispose());
    }

    [Theory]
    [InlineData(TransportKind.Epoll)]
    [InlineData(TransportKind.Sockets)]
    public void Connections_reset_while_sending_and_receiving_leave_nothing_behind(TransportKind transport)
    {
        using var server = TestServer.Start(options => options.Transport = transport);
        using RespExchange observer = server.Connect();
        observer.ExecuteText("SET", "large", new string('x', 3_000_000));
        byte[] request =
        [
            .. FaultTarget.Pipeline(20, "GET", "large"),
            .. RespExchange.Encode(["SET"u8.ToArray(), "k"u8.ToArray(), new byte[1_000_000]]),
        ];
        var random = new Random(5);
        for (int i = 0; i < FaultScale.Count(60, 5000); i++)
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
            {
                LingerState = new LingerOption(true, 0),
                NoDelay = true,
                SendTimeout = 120_000,
            };
            socket.Connect(server.EndPoint);
            socket.Send(request.AsSpan(0, random.Next(request.Length)));
            if (random.Next(2) == 0)
                socket.Receive(new byte[random.Next(1, 100_000)]);
            // Closing with this linger option resets the connection.
        }

        FaultTarget.Await(
            () => observer.ExecuteText("INFO", "clients").Contains("connected_clients:1\r\n", StringComparison.Ordinal),
            () => "The connections must be gone."
        );
        observer.ExecuteText("DEL", "large", "k");
        FaultTarget.Await(() => BlockBytes(observer) <= 32 << 20, () => $"{BlockBytes(observer)} bytes of blocks stayed");
        Assert.Equal("+PONG\r\n", observer.ExecuteText("PING"));
    }

    private static bool IsServed(FaultTarget target)
    {
        using RespExchange client = target.Connect();
        return client.Execute("PING") is { } reply && Encoding.ASCII.GetString(reply) == "+PONG\r\n";
    }

    private static long BlockBytes(RespExchange client) =>
        long.Parse(
            client
                .ExecuteText("INFO", "memory")
                .Split("\r\n")
                .First(line => line.StartsWith("store_block_bytes:", StringComparison.Ordinal))[18..],
            CultureInfo.InvariantCulture
        );
}
