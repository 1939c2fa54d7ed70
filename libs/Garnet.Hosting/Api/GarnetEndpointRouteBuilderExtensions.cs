// Adds a server's metrics and health to an application's routes. At start, one thread.
using Garnet;
using Garnet.Dashboard;
using Garnet.Hosting.Metrics;
using Microsoft.AspNetCore.Http;
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

    /// <summary>
    /// Serves the dashboard below a path. Its users log in as users of the server; what <c>RequireAuthorization</c> demands comes before
    /// that. While the server has no password, browsers of other machines are answered only if the application has authenticated them.
    /// </summary>
    /// <param name="endpoints">The application's routes.</param>
    /// <param name="prefix">The path.</param>
    /// <param name="server">The server; null for the one among the services.</param>
    /// <param name="serverName">The name of a server among the services; null or empty for the unnamed server.</param>
    /// <exception cref="ArgumentException">Both <paramref name="server"/> and <paramref name="serverName"/> are given.</exception>
    public static IEndpointConventionBuilder MapGarnetDashboard(
        this IEndpointRouteBuilder endpoints,
        string prefix = "/garnet",
        GarnetServer? server = null,
        string? serverName = null
    )
    {
        GarnetServer shown = ServerOf(endpoints, server, serverName);
        DashboardApplication dashboard = shown.Dashboards.Add(
            new DashboardSettings
            {
                AllowsWrites = shown.Configuration.Current.DashboardWrites,
                AnyHost = true,
                IsEmbedded = true,
            }
        );
        string path = prefix.TrimEnd('/');
        return endpoints.Map(path + "/{**rest}", (RequestDelegate)AnswerAsync);

        Task AnswerAsync(HttpContext context)
        {
            string rest = context.Request.RouteValues["rest"] as string ?? "";
            HttpRequest request = context.Request;
            // The page's own addresses are relative.
            if (rest.Length == 0 && !request.Path.Value!.EndsWith('/'))
            {
                context.Response.Redirect(request.PathBase.Add(request.Path).ToUriComponent() + "/");
                return Task.CompletedTask;
            }

            return dashboard.AnswerAsync(context, rest);
        }
    }

    private static MetricPages PagesOf(IEndpointRouteBuilder endpoints, GarnetServer? server, string? serverName) =>
        new(ServerOf(endpoints, server, serverName));

    private static GarnetServer ServerOf(IEndpointRouteBuilder endpoints, GarnetServer? server, string? serverName)
    {
        bool isNamed = !string.IsNullOrEmpty(serverName);
        if (isNamed && server is not null)
            throw new ArgumentException("Give the server or its name, not both.", nameof(serverName));
        IServiceProvider services = endpoints.ServiceProvider;
        return server
            ?? (isNamed ? services.GetRequiredKeyedService<GarnetServer>(serverName) : services.GetRequiredService<GarnetServer>());
    }
}
