// Puts a server's metrics and health among an application's own addresses. At start, one thread.
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.Hosting.Metrics;

/// <summary>
/// For applications that embed a server; the server is the <see cref="GarnetServer"/> among their services unless one is given.
/// </summary>
public static class GarnetEndpointRouteBuilderExtensions
{
    /// <summary>Serves the metrics in Prometheus's text format.</summary>
    /// <param name="endpoints">The application's routes.</param>
    /// <param name="pattern">The path.</param>
    /// <param name="server">The server; null for the one among the services.</param>
    public static IEndpointConventionBuilder MapGarnetMetrics(
        this IEndpointRouteBuilder endpoints,
        string pattern = MetricPages.Metrics,
        GarnetServer? server = null
    ) => endpoints.MapGet(pattern, PagesOf(endpoints, server).WriteMetricsAsync);

    /// <summary>
    /// Serves <c>live</c> and <c>ready</c> below a path: 200, or 503 with the reason while data is loaded or cannot be saved.
    /// </summary>
    /// <param name="endpoints">The application's routes.</param>
    /// <param name="prefix">The path above the two.</param>
    /// <param name="server">The server; null for the one among the services.</param>
    public static IEndpointConventionBuilder MapGarnetHealth(
        this IEndpointRouteBuilder endpoints,
        string prefix = "/healthz",
        GarnetServer? server = null
    )
    {
        RouteGroupBuilder group = endpoints.MapGroup(prefix);
        MetricPages pages = PagesOf(endpoints, server);
        group.MapGet("/live", pages.WriteLiveAsync);
        group.MapGet("/ready", pages.WriteReadyAsync);
        return group;
    }

    private static MetricPages PagesOf(IEndpointRouteBuilder endpoints, GarnetServer? server) =>
        new(server ?? endpoints.ServiceProvider.GetRequiredService<GarnetServer>());
}
