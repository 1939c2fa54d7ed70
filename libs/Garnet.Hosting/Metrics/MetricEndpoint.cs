// A small HTTP server for a stand-alone server's metrics and health. Started and disposed once, by one caller.
using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting.Metrics;

/// <summary>
/// A Kestrel of its own, so that neither clients' endpoints nor an application's are touched. It serves a few scrapers and is bounded
/// accordingly.
/// </summary>
internal sealed class MetricEndpoint : IAsyncDisposable
{
    private const int MaxConnections = 64;
    private const int MaxRequestBytes = 4096;

    // Timeout from the connection, or the previous response, to a complete request. A scraper that asks once a minute reconnects each time.
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(1);

    private readonly KestrelServer _server;
    private readonly List<ListenOptions> _listening = [];
    private readonly MetricPages _pages;
    private readonly ConnectionAllowance _allowance = new(MaxConnections);

    public MetricEndpoint(IReadOnlyList<EndPoint> endpoints, MetricPages pages, ILoggerFactory loggers)
    {
        _pages = pages;
        var options = new KestrelServerOptions { AddServerHeader = false, ApplicationServices = NoServices.Instance };
        options.Limits.MaxRequestBodySize = 0;
        options.Limits.MaxRequestLineSize = MaxRequestBytes;
        options.Limits.MaxRequestHeadersTotalSize = 2 * MaxRequestBytes;
        options.Limits.MaxRequestBufferSize = 3 * MaxRequestBytes;
        options.Limits.RequestHeadersTimeout = RequestTimeout;
        options.Limits.KeepAliveTimeout = RequestTimeout;
        foreach (EndPoint endpoint in endpoints)
        {
            options.Listen(
                endpoint,
                listen =>
                {
                    listen.Protocols = HttpProtocols.Http1;
                    listen.Use(next => connection => _allowance.ServeAsync(connection, next));
                    _listening.Add(listen);
                }
            );
        }

        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions()), loggers);
        _server = new KestrelServer(Options.Create(options), new NamedListeners(transport), loggers);
    }

    /// <summary>Where it listens, with the ports that the system chose once it is started.</summary>
    public IReadOnlyList<EndPoint> EndPoints => _listening.ConvertAll(static listen => listen.EndPoint);

    public Task StartAsync(CancellationToken cancellationToken) => _server.StartAsync(new Application(_pages), cancellationToken);

    public async ValueTask DisposeAsync()
    {
        // Kestrel would wait for the rest of a request that has begun.
        _allowance.Close();
        using (var patience = new CancellationTokenSource(StopPatience))
            await _server.StopAsync(patience.Token).ConfigureAwait(false);
        _server.Dispose();
    }

    private sealed class Application(MetricPages pages) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public async Task ProcessRequestAsync(HttpContext context)
        {
            ConnectionAllowance.Request request = context.Features.GetRequiredFeature<ConnectionAllowance.Request>();
            request.Begin();
            try
            {
                await pages.AnswerAsync(context).ConfigureAwait(false);
            }
            finally
            {
                request.End();
            }
        }

        public void DisposeContext(HttpContext context, Exception? exception) { }
    }
}
