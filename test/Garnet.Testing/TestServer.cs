// A server inside the test process, on its own loopback port. One owner, which disposes of it.
using System.Net;

namespace Garnet.Testing;

/// <summary>Starts a server on 127.0.0.1, on a port chosen by the operating system.</summary>
internal sealed class TestServer : IDisposable
{
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    private TestServer(GarnetServer server) => Server = server;

    /// <summary>The server itself.</summary>
    public GarnetServer Server { get; }

    /// <summary>The endpoint it listens on.</summary>
    public IPEndPoint EndPoint => (IPEndPoint)Server.EndPoints[0];

    /// <summary>Builds and starts a server.</summary>
    /// <param name="configure">Changes options before the start.</param>
    /// <param name="time">The clock; null for the system's.</param>
    public static TestServer Start(Action<GarnetOptions>? configure = null, TimeProvider? time = null)
    {
        var options = new GarnetOptions();
        configure?.Invoke(options);
        GarnetServer server = new GarnetServerBuilder { Options = options, TimeProvider = time ?? TimeProvider.System }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        try
        {
            server.StartAsync().GetAwaiter().GetResult();
        }
        catch
        {
            server.DisposeAsync().AsTask().GetAwaiter().GetResult();
            throw;
        }

        return new TestServer(server);
    }

    /// <summary>Opens a raw connection.</summary>
    public RespExchange Connect() => RespExchange.Connect(EndPoint);

    /// <summary>Stops the server and releases its resources.</summary>
    public void Dispose()
    {
        using var timeout = new CancellationTokenSource(StopTimeout);
        Server.StopAsync(timeout.Token).GetAwaiter().GetResult();
        Server.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }
}
