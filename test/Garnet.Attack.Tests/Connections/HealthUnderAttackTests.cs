// Liveness and readiness must answer whatever others do to the port they are served on: a failed check has the process restarted.
using System.Net;
using System.Net.Sockets;
using System.Text;
using Xunit;

namespace Garnet.Attack.Tests.Connections;

public sealed class HealthUnderAttackTests : IAsyncLifetime
{
    // Four times as many as the endpoint keeps open at once.
    private const int Attackers = 256;

    private readonly List<Socket> _sockets = [];
    private readonly GarnetServer _server = new GarnetServerBuilder { Options = new GarnetOptions() }
        .Listen(new IPEndPoint(IPAddress.Loopback, 0))
        .ListenMetrics(new IPEndPoint(IPAddress.Loopback, 0))
        .Build();

    public Task InitializeAsync() => _server.StartAsync();

    public async Task DisposeAsync()
    {
        _sockets.ForEach(static socket => socket.Dispose());
        await _server.StopAsync();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("")]
    [InlineData("GET /healthz/live HTTP/1.1\r\nHost: x\r\n")]
    [InlineData("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc")]
    [InlineData("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")]
    [InlineData("\0\r\n")]
    public async Task Checks_are_answered_beside_connections_that(string send)
    {
        for (int i = 0; i < Attackers; i++)
        {
            Socket attacker = Connect();
            if (send.Length > 0)
                attacker.Send(Encoding.ASCII.GetBytes(send));
            if (i % 16 == 0)
                Assert.Equal("HTTP/1.1 200 OK", await AskAsync(i % 32 == 0 ? "/healthz/live" : "/healthz/ready"));
        }

        Assert.Equal("HTTP/1.1 200 OK", await AskAsync("/healthz/live"));
        Assert.Equal("HTTP/1.1 200 OK", await AskAsync("/metrics"));
    }

    // Another connection may come between ours and its request; an orchestrator asks several times, too.
    private async Task<string> AskAsync(string path)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await socket.ConnectAsync(_server.MetricEndPoints[0], patience.Token);
        await socket.SendAsync(Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), patience.Token);
        using var stream = new NetworkStream(socket);
        using var reader = new StreamReader(stream);
        return await reader.ReadLineAsync(patience.Token) ?? "closed";
    }

    private Socket Connect()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(_server.MetricEndPoints[0]);
        _sockets.Add(socket);
        return socket;
    }
}
