// Adds a server's metrics and health to an application's routes. At start, one thread.
using Garnet;
using Garnet.Hosting.Metrics;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>
/// For applications that embed a server; the server is the unnamed one among their services unless another is given, as an instance or by
/// its name.
/// </summary>
public static class GarnetEndpointRouteBuilderExtensions
{
    /// <summary>Serves the metrics in Prometheus's text format.</summary>
    /// <param name="endpoints">The application's routes.</param>
    /// <param name="pattern">The path.</param>
    /// <param name="server">The server; null for the one among the services.</param>
    /// <param name="serverName">The name of a server among the services; null or empty for the unnamed server.</param>
    /// <exception cref="ArgumentException">Both <paramref name="server"/> and <paramref name="serverName"/> are given.</exception>
    public static IEndpointConventionBuilder MapGarnetMetrics(
        this IEndpointRouteBuilder endpoints,
        string pattern = MetricPages.Metrics,
        GarnetServer? server = null,
        string? serverName = null
    ) => endpoints.MapGet(pattern, PagesOf(endpoints, server, serverName).WriteMetricsAsync);

    /// <summary>
    /// Serves <c>live</c> and <c>ready</c> below a path: 200, or 503 with the reason while data is loaded or cannot be saved.
    /// </summary>
    /// <param name="endpoints">The application's routes.</param>
    /// <param name="prefix">The path above the two.</param>
    /// <param name="server">The server; null for the one among the services.</param>
    /// <param name="serverName">The name of a server among the services; null or empty for the unnamed server.</param>
    /// <exception cref="ArgumentException">Both <paramref name="server"/> and <paramref name="serverName"/> are given.</exception>
    public static IEndpointConventionBuilder MapGarnetHealth(
        this IEndpointRouteBuilder endpoints,
        string prefix = "/healthz",
        GarnetServer? server = null,
        string? serverName = null
    )
    {
        RouteGroupBuilder group = endpoints.MapGroup(prefix);
        MetricPages pages = PagesOf(endpoints, server, serverName);
        group.MapGet("/live", pages.WriteLiveAsync);
        group.MapGet("/ready", pages.WriteReadyAsync);
        return group;
    }

    private static MetricPages PagesOf(IEndpointRouteBuilder endpoints, GarnetServer? server, string? serverName)
    {
        bool isNamed = !string.IsNullOrEmpty(serverName);
        if (isNamed && server is not null)
            throw new ArgumentException("Give the server or its name, not both.", nameof(serverName));
        IServiceProvider services = endpoints.ServiceProvider;
        return new MetricPages(
            server ?? (isNamed ? services.GetRequiredKeyedService<GarnetServer>(serverName) : services.GetRequiredService<GarnetServer>())
        );
    }
}
