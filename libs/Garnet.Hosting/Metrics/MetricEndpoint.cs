// Where a stand-alone server's metrics and health are served. Stateless.
using System.Net;
using Garnet.Hosting.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting.Metrics;

/// <summary>An endpoint for a few scrapers, bounded accordingly.</summary>
internal static class MetricEndpoint
{
    private const int MaxOpen = 64;

    // With those that are being closed. A check must be answered also where connections come faster than others have ended.
    private const int MaxConnections = 1024;
    private const int MaxRequestBytes = 4096;

    // Timeout from the connection, or the previous response, to a complete request. A scraper that asks once a minute reconnects each time.
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(5);

    /// <summary>Prepares it.</summary>
    public static HttpEndpoint Create(IReadOnlyList<EndPoint> endpoints, MetricPages pages, ILoggerFactory loggers) =>
        new(endpoints, MaxConnections, SetLimits, pages.AnswerAsync, loggers, maxOpen: MaxOpen);

    private static void SetLimits(KestrelServerLimits limits)
    {
        limits.MaxRequestBodySize = 0;
        limits.MaxRequestLineSize = MaxRequestBytes;
        limits.MaxRequestHeadersTotalSize = 2 * MaxRequestBytes;
        limits.MaxRequestBufferSize = 3 * MaxRequestBytes;
        limits.RequestHeadersTimeout = RequestTimeout;
        limits.KeepAliveTimeout = RequestTimeout;
        limits.MinResponseDataRate = new MinDataRate(bytesPerSecond: 4096, gracePeriod: RequestTimeout);
    }
}
