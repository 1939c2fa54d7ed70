// A server with a dashboard in the test's process, on ports chosen by the system. One owner, which disposes of it.
using System.Net;
using System.Text;
using Garnet.Testing;

namespace Garnet.Dashboard.Tests;

/// <summary>Starts a server whose dashboard listens on 127.0.0.1.</summary>
internal sealed class DashboardTestServer : IAsyncDisposable
{
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    private int _isDisposed;

    private DashboardTestServer(GarnetServer server) => Server = server;

    public GarnetServer Server { get; }

    public Uri Address => new($"http://127.0.0.1:{((IPEndPoint)Server.DashboardEndPoints[0]).Port}/");

    public static async Task<DashboardTestServer> StartAsync(Action<GarnetOptions>? configure = null, TimeProvider? time = null)
    {
        var options = new GarnetOptions();
        configure?.Invoke(options);
        GarnetServer server = new GarnetServerBuilder { Options = options, TimeProvider = time ?? TimeProvider.System }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .ListenDashboard(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return new DashboardTestServer(server);
    }

    /// <summary>Runs a command with all rights.</summary>
    public void Execute(params string[] arguments) => Server.InProcess.Execute(arguments[0], arguments[1..]);

    /// <summary>As the other, for arguments of any bytes; the first is the command's name.</summary>
    public void Execute(params byte[][] arguments) =>
        Server.InProcess.Execute(
            Encoding.ASCII.GetString(arguments[0]),
            arguments.Skip(1).Select(static argument => (ReadOnlyMemory<byte>)argument).ToArray()
        );

    public Browser Open() => new(Address);

    /// <summary>A browser that is logged in.</summary>
    public async Task<Browser> OpenAsync(string user = "", string password = "")
    {
        Browser browser = Open();
        using HttpResponseMessage response = await browser.LogInAsync(user, password);
        response.EnsureSuccessStatusCode();
        return browser;
    }

    public RespExchange Connect() => RespExchange.Connect(Server.EndPoints[0]);

    /// <summary>Stops it; further calls do nothing.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        using var timeout = new CancellationTokenSource(StopTimeout);
        await Server.StopAsync(timeout.Token);
        await Server.DisposeAsync();
    }
}
