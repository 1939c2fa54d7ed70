// Ties a server's life to a generic host's. Called by the host, one call at a time.
using Microsoft.Extensions.Hosting;

namespace Garnet.Hosting;

/// <summary>
/// Starts a server with the application and stops it with it. The server has a Kestrel of its own: an endpoint added to the
/// application's Kestrel would silence the application's own addresses.
/// </summary>
public sealed class GarnetHostedService(GarnetServer server, IHostApplicationLifetime application) : IHostedService, IAsyncDisposable
{
    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        server.Resp.ShutdownRequested += application.StopApplication;
        return server.StartAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => server.DisposeAsync();
}
