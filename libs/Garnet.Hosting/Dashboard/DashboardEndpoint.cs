// Where a stand-alone server's dashboard is served. Stateless.
using System.Net;
using Garnet.Dashboard;
using Garnet.Dashboard.Http;
using Garnet.Hosting.Http;
using Garnet.Hosting.Tls;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Dashboard;

/// <summary>
/// An endpoint for browsers. Not that of the metrics: browsers send more than scrapers, and must not take their places.
/// </summary>
internal static class DashboardEndpoint
{
    /// <summary>How many connections are open at most.</summary>
    internal const int MaxConnections = 1024;

    // Cookies of everything else on the same host come along.
    private const int MaxHeaderBytes = 32 * 1024;

    // One piece of an answer for each of many that read nothing.
    private const int MaxUnsentBytes = Answer.PieceBytes;

    // Requests that wait behind one whose answer nobody reads.
    private const int MaxUnansweredBytes = 64 * 1024;

    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan KeepAlive = TimeSpan.FromMinutes(2);

    // Below it a peer is not slow, it holds a connection.
    private static readonly MinDataRate SlowestPeer = new(bytesPerSecond: 4096, gracePeriod: TimeSpan.FromSeconds(10));

    /// <summary>Prepares it.</summary>
    public static HttpEndpoint Create(
        IReadOnlyList<EndPoint> endpoints,
        DashboardApplication dashboard,
        BrowserTls? tls,
        ILoggerFactory loggers
    ) =>
        new(
            endpoints,
            MaxConnections,
            SetLimits,
            context => dashboard.AnswerAsync(context, context.Request.Path.Value!.TrimStart('/')),
            loggers,
            tls is null ? null : tls.ServeAsync
        );

    /// <summary>Sets what one connection may cost.</summary>
    internal static void SetLimits(KestrelServerLimits limits)
    {
        limits.MaxRequestBodySize = RequestBody.MaxBytes;
        limits.MaxRequestHeadersTotalSize = MaxHeaderBytes;
        limits.MaxRequestBufferSize = MaxUnansweredBytes;
        limits.MaxResponseBufferSize = MaxUnsentBytes;
        limits.MinRequestBodyDataRate = SlowestPeer;
        limits.MinResponseDataRate = SlowestPeer;
        limits.RequestHeadersTimeout = RequestTimeout;
        limits.KeepAliveTimeout = KeepAlive;
    }
}
