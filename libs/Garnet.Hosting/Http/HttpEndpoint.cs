// A small HTTP server beside the clients' endpoints. Started and disposed once, by one caller.
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting.Http;

/// <summary>A Kestrel of its own, so that neither clients' endpoints nor an application's are touched.</summary>
internal sealed class HttpEndpoint : IAsyncDisposable
{
    private static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(1);

    // Left to itself the kernel takes up to 4 MiB for each peer that does not read.
    private const int SendBufferBytes = 128 * 1024;

    private readonly KestrelServer _server;
    private readonly List<ListenOptions> _listening = [];
    private readonly RequestDelegate _answer;
    private readonly ConnectionAllowance _allowance;
    private readonly bool _isSecure;

    /// <summary>Prepares the listener; nothing is opened yet.</summary>
    /// <param name="endpoints">Where to listen.</param>
    /// <param name="maxConnections">How many connections are open at most.</param>
    /// <param name="setLimits">Sets what one connection may cost.</param>
    /// <param name="answer">Answers the requests.</param>
    /// <param name="loggers">For log messages.</param>
    /// <param name="encrypt">A middleware that encrypts the connections; null for none.</param>
    /// <param name="maxOpen">How many connections are not being closed; null for most.</param>
    public HttpEndpoint(
        IReadOnlyList<EndPoint> endpoints,
        int maxConnections,
        Action<KestrelServerLimits> setLimits,
        RequestDelegate answer,
        ILoggerFactory loggers,
        Func<ConnectionContext, ConnectionDelegate, Task>? encrypt = null,
        int? maxOpen = null
    )
    {
        _answer = answer;
        _allowance = new ConnectionAllowance(maxConnections, maxOpen);
        _isSecure = encrypt is not null;
        var options = new KestrelServerOptions { AddServerHeader = false, ApplicationServices = NoServices.Instance };
        setLimits(options.Limits);
        foreach (EndPoint endpoint in endpoints)
        {
            options.Listen(
                endpoint,
                listen =>
                {
                    listen.Protocols = HttpProtocols.Http1;
                    listen.Use(next => connection => _allowance.ServeAsync(connection, next));
                    if (encrypt is not null)
                        listen.Use(next => connection => encrypt(connection, next));
                    _listening.Add(listen);
                }
            );
        }

        var transport = new SocketTransportFactory(Options.Create(new SocketTransportOptions { CreateBoundListenSocket = Bind }), loggers);
        _server = new KestrelServer(Options.Create(options), new NamedListeners(transport), loggers);
    }

    /// <summary>Where it listens, with the ports that the system chose once it is started.</summary>
    public IReadOnlyList<EndPoint> EndPoints => _listening.ConvertAll(static listen => listen.EndPoint);

    /// <summary>The addresses for browsers.</summary>
    public IEnumerable<string> Addresses => EndPoints.Select(point => $"{(_isSecure ? "https" : "http")}://{ListenAddress.Text(point)}/");

    /// <summary>Connections that have not ended.</summary>
    internal int Connections => _allowance.Total;

    /// <summary>Opens the endpoints.</summary>
    public Task StartAsync(CancellationToken cancellationToken) => _server.StartAsync(new Application(_answer), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        // Kestrel would wait for the rest of a request that has begun.
        _allowance.Close();
        using (var patience = new CancellationTokenSource(StopPatience))
            await _server.StopAsync(patience.Token).ConfigureAwait(false);
        _server.Dispose();
    }

    // What the kernel accepts inherits it.
    private static Socket Bind(EndPoint endpoint)
    {
        Socket socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
        socket.SendBufferSize = SendBufferBytes;
        return socket;
    }

    private sealed class Application(RequestDelegate answer) : IHttpApplication<HttpContext>
    {
        public HttpContext CreateContext(IFeatureCollection contextFeatures) => new DefaultHttpContext(contextFeatures);

        public async Task ProcessRequestAsync(HttpContext context)
        {
            ConnectionAllowance.Request request = context.Features.GetRequiredFeature<ConnectionAllowance.Request>();
            request.Begin();
            try
            {
                await answer(context).ConfigureAwait(false);
            }
            finally
            {
                request.End();
            }
        }

        public void DisposeContext(HttpContext context, Exception? exception) { }
    }
}
