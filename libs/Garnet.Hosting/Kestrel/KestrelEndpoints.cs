// The endpoints of one server: a KestrelServer of its own over one of our transports. Start and stop once, by one caller.
using System.Net;
using Garnet.Network;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting.Kestrel;

/// <summary>
/// Listens on any number of endpoints and runs one delegate per connection. It is not the host app's Kestrel: one process may hold several,
/// and none touches the app's URLs. Kestrel's HTTP limits (data rates, timeouts, connection counts) do not apply to raw connections; its
/// metrics are off because its public constructor has none.
/// </summary>
internal sealed class KestrelEndpoints : IAsyncDisposable
{
    private readonly List<ListenOptions> _listening = [];
    private readonly KestrelServerOptions _options = new() { AddServerHeader = false };
    private readonly KestrelServer _server;
    private readonly ITransport _transport;

    /// <summary>Builds the server; nothing is bound yet.</summary>
    /// <param name="transport">Where connections come from; disposed with this object.</param>
    /// <param name="services">For connection middleware that needs services (TLS).</param>
    /// <param name="loggers">Kestrel logs connections at Debug and stays silent above unless something is wrong.</param>
    public KestrelEndpoints(ITransport transport, IServiceProvider services, ILoggerFactory loggers)
    {
        _transport = transport;
        _options.ApplicationServices = services;
        _server = new KestrelServer(Options.Create(_options), new NamedListeners(transport), loggers);
    }

    /// <summary>The endpoints in the order they were added, with the ports the kernel chose once started.</summary>
    public IReadOnlyList<EndPoint> EndPoints =>
        [.. _listening.SelectMany(static options => options.EndPoint is EndPointGroup group ? group.Bound : [options.EndPoint])];

    /// <summary>Adds an endpoint; before starting.</summary>
    /// <param name="endPoint">
    /// An <see cref="IPEndPoint"/> (port 0 lets the kernel choose), a <see cref="System.Net.Sockets.UnixDomainSocketEndPoint"/>, or an
    /// <see cref="EndPointGroup"/> that can move while the server runs.
    /// </param>
    /// <param name="connection">Runs for each connection; its end disposes the connection.</param>
    /// <param name="configure">Connection middleware around the delegate, such as UseHttps.</param>
    public void Add(EndPoint endPoint, ConnectionDelegate connection, Action<ListenOptions>? configure = null) =>
        _options.Listen(
            endPoint,
            listen =>
            {
                // Kestrel insists on naming a protocol of its own; the delegate below never calls the next one.
                listen.Protocols = HttpProtocols.Http1;
                configure?.Invoke(listen);
                listen.Use(_ => connection);
                _listening.Add(listen);
            }
        );

    /// <summary>Binds all endpoints and begins to accept.</summary>
    /// <exception cref="EndPointException">An endpoint cannot be opened; the message says which.</exception>
    public Task StartAsync(CancellationToken cancellationToken) => _server.StartAsync(new NoHttpApplication(), cancellationToken);

    /// <summary>
    /// Stops accepting, asks every session to end (IConnectionLifetimeNotificationFeature.ConnectionClosedRequested), waits for them until
    /// the token is cancelled, and aborts the rest.
    /// </summary>
    public Task StopAsync(CancellationToken cancellationToken) => _server.StopAsync(cancellationToken);

    /// <summary>Aborts what is left and ends the transport's threads.</summary>
    public async ValueTask DisposeAsync()
    {
        using (var now = new CancellationTokenSource())
        {
            await now.CancelAsync().ConfigureAwait(false);
            await _server.StopAsync(now.Token).ConfigureAwait(false);
        }
        _server.Dispose();
        await _transport.DisposeAsync().ConfigureAwait(false);
    }
}
