// The HTTP server of a stand-alone server's dashboard. Started and disposed once, by one caller.
using System.Net;
using Garnet.Dashboard;
using Garnet.Dashboard.Http;
using Garnet.Hosting.Metrics;
using Garnet.Hosting.Tls;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting.Dashboard;

/// <summary>
/// A Kestrel of its own. Not that of the metrics: browsers send more than scrapers, and must not take their places.
/// </summary>
internal sealed class DashboardEndpoint : IAsyncDisposable
{
    private const int MaxConnections = 1024;

    // Cookies of everything else on the same host come along.
    private const int MaxHeaderBytes = 32 * 1024;
    private const int MaxUnsentBytes = 64 * 1024;

    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan KeepAlive = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;
    private readonly List<ListenOptions> _listening = [];
    private readonly DashboardApplication _dashboard;
    private readonly ConnectionAllowance _allowance = new(MaxConnections);

    /// <summary>Prepares the listener; nothing is opened yet.</summary>
    /// <param name="endpoints">Where to listen.</param>
    /// <param name="dashboard">Answers the requests.</param>
    /// <param name="tls">Encrypts the connections; null for none.</param>
    /// <param name="loggers">For log messages.</param>
    public DashboardEndpoint(IReadOnlyList<EndPoint> endpoints, DashboardApplication dashboard, BrowserTls? tls, ILoggerFactory loggers)
    {
        _dashboard = dashboard;
        IsSecure = tls is not null;
        var options = new KestrelServerOptions { AddServerHeader = false, ApplicationServices = NoServices.Instance };
        options.Limits.MaxRequestBodySize = RequestBody.MaxBytes;
        options.Limits.MaxRequestHeadersTotalSize = MaxHeaderBytes;
        options.Limits.MaxResponseBufferSize = MaxUnsentBytes;
        options.Limits.RequestHeadersTimeout = RequestTimeout;
        options.Limits.KeepAliveTimeout = KeepAlive;
        foreach (EndPoint endpoint in endpoints)
        {
            options.Listen(
                endpoint,
                listen =>
                {
                    listen.Protocols = HttpProtocols.Http1;
                    listen.Use(next => connection => _allowance.ServeAsync(connection, next));
                    if (tls is not null)
                        listen.Use(next => connection => tls.ServeAsync(connection, next));
                    _listening.Add(listen);
                }
            );
        }

        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), loggers);
        _server = new KestrelServer(Options.Create(options), new NamedListeners(transport), loggers);
    }

    /// <summary>Whether the page is served with TLS.</summary>
    public bool IsSecure { get; }

    /// <summary>Where it listens, with the ports that the system chose once it is started.</summary>
    public IReadOnlyList<EndPoint> EndPoints => _listening.ConvertAll(static listen => listen.EndPoint);

    /// <summary>The pages' addresses.</summary>
    public IEnumerable<string> Addresses => EndPoints.Select(point => $"{(IsSecure ? "https" : "http")}://{ListenAddress.Text(point)}/");

    /// <summary>Opens the endpoints.</summary>
    public Task StartAsync(CancellationToken cancellationToken) => _server.StartAsync(new Application(_dashboard), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // Kestrel would wait for the rest of a request that has begun.
        _allowance.Close();
        using (var patience = new CancellationTokenSource(StopPatience))
            await _server.StopAsync(patience.Token).ConfigureAwait(false);
        _server.Dispose();
    }

    private sealed class Application(DashboardApplication dashboard) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public async Task ProcessRequestAsync(HttpContext context)
        {
            ConnectionAllowance.Request request = context.Features.GetRequiredFeature<ConnectionAllowance.Request>();
            request.Begin();
            try
            {
                await dashboard.AnswerAsync(context, context.Request.Path.Value!.TrimStart('/')).ConfigureAwait(false);
            }
            finally
            {
                request.End();
            }
        }

        public void DisposeContext(HttpContext context, Exception? exception) { }
    }
}
