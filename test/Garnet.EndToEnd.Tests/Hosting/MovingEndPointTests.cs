// Changes of port and bind at run time. Servers in this process, on loopback ports that were free shortly before.
using System.Net;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class MovingEndPointTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-moving-").FullName;

    public static TheoryData<TransportKind> Transports => EmbeddedServerTests.Transports;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_changed_port_accepts_new_clients_and_keeps_the_old_ones(TransportKind transport)
    {
        await using GarnetServer server = await StartAsync(transport);
        using var admin = RespExchange.Connect(server.EndPoints[0]);
        IPEndPoint first = Set(admin, server);
        using var early = RespExchange.Connect(first);
        Assert.Equal("+PONG\r\n", early.ExecuteText("PING"));
        IPEndPoint second = Set(admin, server);
        Assert.Equal("+PONG\r\n", early.ExecuteText("PING"));
        using var late = RespExchange.Connect(second);
        Assert.Equal("+PONG\r\n", late.ExecuteText("PING"));
        Assert.Throws<SocketException>(() => RespExchange.Connect(first));
        Assert.Contains($"tcp_port:{second.Port}\r\n", late.ExecuteText("INFO", "server"), StringComparison.Ordinal);
        Assert.Contains(
            $"listener0:name=tcp,bind=127.0.0.1,port={second.Port}\r\n",
            late.ExecuteText("INFO", "server"),
            StringComparison.Ordinal
        );

        Assert.Equal("+OK\r\n", late.ExecuteText("CONFIG", "SET", "port", "0"));
        Assert.Throws<SocketException>(() => RespExchange.Connect(second));
        Assert.Equal("+PONG\r\n", late.ExecuteText("PING"));
        Assert.Contains("tcp_port:0\r\n", late.ExecuteText("INFO", "server"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Addresses_that_overlap_the_old_ones_can_be_bound(TransportKind transport)
    {
        await using GarnetServer server = await StartAsync(transport);
        using var admin = RespExchange.Connect(server.EndPoints[0]);
        IPEndPoint one = Set(admin, server);
        Assert.Equal("+OK\r\n", admin.ExecuteText("CONFIG", "SET", "bind", "*"));
        Assert.Equal(new IPEndPoint(IPAddress.Any, one.Port), Tcp(server));
        using (var client = RespExchange.Connect(one))
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "bind", "127.0.0.1 -192.0.2.1"));
        Assert.Equal(one, Tcp(server));
        using (var client = RespExchange.Connect(one))
            Assert.Equal("*2\r\n$4\r\nbind\r\n$20\r\n127.0.0.1 -192.0.2.1\r\n", client.ExecuteText("CONFIG", "GET", "bind"));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_address_that_cannot_be_bound_is_refused_and_nothing_changes(TransportKind transport)
    {
        await using GarnetServer server = await StartAsync(transport);
        using var admin = RespExchange.Connect(server.EndPoints[0]);
        IPEndPoint one = Set(admin, server);
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        taken.Listen(1);
        int port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'port') - Unable to listen on this port. Check server logs.\r\n",
            admin.ExecuteText("CONFIG", "SET", "timeout", "7", "port", $"{port}")
        );
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to specified addresses.\r\n",
            admin.ExecuteText("CONFIG", "SET", "bind", "127.0.0.1 192.0.2.1")
        );
        Assert.Equal(
            "-ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to specified addresses.\r\n",
            admin.ExecuteText("CONFIG", "SET", "bind", "no-such-name.invalid")
        );
        Assert.Equal(
            (0, one.Port, "127.0.0.1"),
            (server.Configuration.Current.TimeoutSeconds, server.Configuration.Current.Port, server.Configuration.Current.Bind.Single())
        );
        Assert.Equal(one, Tcp(server));
        using var client = RespExchange.Connect(one);
        Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
    }

    [Fact]
    public async Task Endpoints_do_not_change_inside_a_transaction()
    {
        await using GarnetServer server = await StartAsync(TransportKind.Sockets);
        using var admin = RespExchange.Connect(server.EndPoints[0]);
        Assert.Equal("+OK\r\n", admin.ExecuteText("MULTI"));
        Assert.Equal("+QUEUED\r\n", admin.ExecuteText("CONFIG", "SET", "port", "1"));
        Assert.Equal(
            "*1\r\n-ERR CONFIG SET failed (possibly related to argument 'port') - not possible inside a transaction\r\n",
            admin.ExecuteText("EXEC")
        );
    }

    [Fact]
    public async Task Endpoints_specified_by_the_application_stay()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        using var client = RespExchange.Connect(server.EndPoints[0]);
        Assert.Contains(
            "the application that runs this server decides where it listens",
            client.ExecuteText("CONFIG", "SET", "port", "1"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"tcp_port:{((IPEndPoint)server.EndPoints[0]).Port}\r\n",
            client.ExecuteText("INFO", "server"),
            StringComparison.Ordinal
        );
    }

    // The Unix socket stays while TCP endpoints change; at first there is no TCP endpoint.
    private async Task<GarnetServer> StartAsync(TransportKind transport)
    {
        var options = new GarnetOptions
        {
            Port = 0,
            Bind = ["127.0.0.1"],
            Dir = _folder,
            UnixSocket = "s",
            Transport = transport,
        };
        GarnetServer server = new GarnetServerBuilder { Options = options }.Build();
        await server.StartAsync();
        return server;
    }

    private static IPEndPoint Tcp(GarnetServer server) => server.EndPoints.OfType<IPEndPoint>().Single();

    // Another program may take a free port first; then tries another port.
    private static IPEndPoint Set(RespExchange admin, GarnetServer server)
    {
        for (int attempt = 0; ; attempt++)
        {
            using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            int port = ((IPEndPoint)probe.LocalEndPoint!).Port;
            probe.Close();
            string reply = admin.ExecuteText("CONFIG", "SET", "port", $"{port}");
            if (reply == "+OK\r\n")
                return Tcp(server);
            Assert.True(attempt < 10, reply);
        }
    }
}
