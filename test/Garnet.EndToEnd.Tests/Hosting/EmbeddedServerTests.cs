// Servers inside the test process: builder, endpoints, stopping, changes at run time. Only loopback, on ports chosen by the system.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class EmbeddedServerTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-embedded-").FullName;

    public static TheoryData<TransportKind> Transports =>
        OperatingSystem.IsLinux() ? [TransportKind.Epoll, TransportKind.Sockets] : [TransportKind.Sockets];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_server_serves_on_the_port_the_system_chose(TransportKind transport)
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions { Transport = transport });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        Assert.NotEqual(0, ((IPEndPoint)server.EndPoints[0]).Port);
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        Assert.Equal("$1\r\nv\r\n", client.ExecuteText("GET", "k"));
    }

    [Fact]
    public async Task Servers_in_one_process_share_nothing()
    {
        await using GarnetServer one = await StartAsync(new GarnetOptions());
        await using GarnetServer other = await StartAsync(new GarnetOptions { Databases = 4 });
        using var first = RespExchange.Connect(one.EndPoints[0]);
        using var second = RespExchange.Connect(other.EndPoints[0]);
        Assert.Equal("+OK\r\n", first.ExecuteText("SET", "k", "v"));
        Assert.Equal("+OK\r\n", first.ExecuteText("CONFIG", "SET", "timeout", "77"));
        Assert.Equal("$-1\r\n", second.ExecuteText("GET", "k"));
        Assert.Equal(
            "*4\r\n$9\r\ndatabases\r\n$1\r\n4\r\n$7\r\ntimeout\r\n$1\r\n0\r\n",
            second.ExecuteText("CONFIG", "GET", "timeout", "databases")
        );
    }

    [Fact]
    public async Task Servers_in_one_process_count_the_memory_of_their_own_connections()
    {
        const int Requests = 20_000;
        await using GarnetServer one = await StartAsync(new GarnetOptions());
        await using GarnetServer other = await StartAsync(new GarnetOptions());
        using var client = RespExchange.Connect(one.EndPoints[0]);
        using var second = RespExchange.Connect(other.EndPoints[0]);
        Assert.Equal("+PONG\r\n", second.ExecuteText("PING"));
        long before = other.Resp.Memory.ConnectionBytes;
        // Replies that are not read.
        client.Send(FaultTarget.Pipeline(Requests, "ECHO", new string('x', 1000)));
        Assert.True(SpinWait.SpinUntil(() => one.Resp.Memory.ConnectionBytes > 2 << 20, Patience), $"{one.Resp.Memory.ConnectionBytes}");
        Assert.Equal(before, other.Resp.Memory.ConnectionBytes);
    }

    [Fact]
    public async Task Key_positions_differ_between_servers()
    {
        // A client that could learn from one server where keys are in another could choose colliding keys.
        string[] orders = new string[2];
        for (int i = 0; i < orders.Length; i++)
        {
            await using GarnetServer server = await StartAsync(new GarnetOptions());
            using var client = RespExchange.Connect(server.EndPoints[0]);
            for (int key = 0; key < 100; key++)
                Assert.Equal("+OK\r\n", client.ExecuteText("SET", $"key:{key}", "v"));
            orders[i] = client.ExecuteText("SCAN", "0", "COUNT", "1000");
        }

        Assert.NotEqual(orders[0], orders[1]);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Stopping_finishes_pending_requests_and_closes_idle_clients(TransportKind transport)
    {
        const int Requests = 5000;
        await using GarnetServer server = await StartAsync(new GarnetOptions { Transport = transport });
        using var idle = RespExchange.Connect(server.EndPoints[0]);
        Assert.Equal("+PONG\r\n", idle.ExecuteText("PING"));
        using var busy = RespExchange.Connect(server.EndPoints[0]);
        busy.Send(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("PING\r\n", Requests))));
        // The first reply shows that the pipeline has arrived, because the loopback device delivers in order.
        Assert.Equal("+PONG\r\n"u8.ToArray(), busy.ReadReply());

        using var patience = new CancellationTokenSource(Patience);
        await server.StopAsync(patience.Token);
        Assert.False(patience.IsCancellationRequested);
        Assert.Null(idle.ReadReply());
        int replies = 1;
        while (busy.ReadReply() is { } reply)
        {
            Assert.Equal("+PONG\r\n"u8.ToArray(), reply);
            replies++;
        }
        Assert.InRange(replies, 1, Requests);
        Assert.Throws<SocketException>(() => RespExchange.Connect(server.EndPoints[0]));
    }

    [Fact]
    public async Task Stopping_does_not_wait_for_a_client_that_never_reads()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        using var client = RespExchange.Connect(server.EndPoints[0]);
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", new string('x', 1 << 20)));
        client.Send(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("GET k\r\n", 64))));
        using var patience = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await server.StopAsync(patience.Token).WaitAsync(Patience);
    }

    [Fact]
    public async Task Stopping_cancels_blocked_commands()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.Send("PING\r\nWAIT 1 0\r\n"u8);
        Assert.Equal("+PONG\r\n"u8.ToArray(), client.ReadReply());
        using var patience = new CancellationTokenSource(Patience);
        await server.StopAsync(patience.Token);
        Assert.False(patience.IsCancellationRequested);
        Assert.Null(client.ReadReply());
    }

    [Fact]
    public async Task A_port_in_use_is_named()
    {
        await using GarnetServer first = await StartAsync(new GarnetOptions());
        await using GarnetServer second = new GarnetServerBuilder().Listen(first.EndPoints[0]).Build();
        EndPointException refused = await Assert.ThrowsAsync<EndPointException>(() => second.StartAsync());
        Assert.StartsWith($"{first.EndPoints[0]}: ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_Unix_socket_gets_its_mode_and_is_removed_with_the_server()
    {
        var options = new GarnetOptions
        {
            Port = 0,
            Dir = _folder,
            UnixSocket = "s",
            UnixSocketPermissions = Convert.ToInt32("700", 8),
        };
        string path = Path.Combine(_folder, "s");
        await using (GarnetServer server = new GarnetServerBuilder { Options = options }.Build())
        {
            await server.StartAsync();
            Assert.Equal([$"unix:{path}"], server.EndPointTexts);
            if (!OperatingSystem.IsWindows())
                Assert.Equal((UnixFileMode)options.UnixSocketPermissions, File.GetUnixFileMode(path));
            using var client = RespExchange.Connect(new UnixDomainSocketEndPoint(path));
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        }
        Assert.False(File.Exists(path));
    }

    [Fact]
    public async Task Io_threads_and_memory_limit_change_while_clients_are_served()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        using var client = RespExchange.Connect(server.EndPoints[0]);
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "io-threads", "3", "maxmemory", "1"));
        Assert.Equal(3, server.Transport.IoThreads);
        Assert.Contains("\r\nio_threads:3\r\nio_threads_wanted:3\r\n", client.ExecuteText("INFO", "threads"), StringComparison.Ordinal);
        Assert.StartsWith("-OOM ", client.ExecuteText("SET", "k", "v"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "io-threads", "1", "maxmemory", "0"));
        Assert.Equal(1, server.Transport.IoThreads);
        Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "v"));
        // INFO shows the number of threads, not that it is chosen automatically.
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "io-threads", "0"));
        Assert.Contains("\r\nio_threads:1\r\nio_threads_wanted:0\r\n", client.ExecuteText("INFO", "threads"), StringComparison.Ordinal);
    }

    [LinuxFact]
    public async Task CONFIG_SET_rejects_more_clients_than_the_system_allows()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions { MaxClients = uint.MaxValue });
        using var client = RespExchange.Connect(server.EndPoints[0]);
        Assert.True(server.Configuration.Current.MaxClients < uint.MaxValue);
        string refused = client.ExecuteText("CONFIG", "SET", "maxclients", $"{uint.MaxValue}");
        Assert.Contains($"try with {server.Configuration.Current.MaxClients}\r\n", refused, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_to_listen_on_is_an_error() =>
        Assert.Throws<OptionException>(() => new GarnetServerBuilder { Options = { Port = 0 } }.Build());

    [Fact]
    public async Task A_missing_optional_address_is_skipped_and_another_is_an_error()
    {
        // 192.0.2.0/24 is reserved for documentation; no machine has such an address.
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        var options = new GarnetOptions
        {
            Port = port,
            Bind = ["-192.0.2.1"],
            Dir = _folder,
            UnixSocket = "s",
        };
        await using GarnetServer server = new GarnetServerBuilder { Options = options }.Build();
        await server.StartAsync();
        Assert.Single(server.EndPoints);

        options.Bind = ["192.0.2.1"];
        options.UnixSocket = "";
        await using GarnetServer other = new GarnetServerBuilder { Options = options }.Build();
        EndPointException refused = await Assert.ThrowsAsync<EndPointException>(() => other.StartAsync());
        Assert.StartsWith($"192.0.2.1:{port}: ", refused.Message, StringComparison.Ordinal);
    }

    private static async Task<GarnetServer> StartAsync(GarnetOptions options)
    {
        GarnetServer server = new GarnetServerBuilder { Options = options }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return server;
    }
}
