// Registers a server's health checks with an application's. At start, one thread.
using Garnet.Hosting.Health;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>Adds servers to an application's health checks.</summary>
public static class GarnetHealthChecksExtensions
{
    /// <summary>The tag of the check for "restart it when this fails".</summary>
    public const string LiveTag = "live";

    /// <summary>The tag of the check for "send no clients while this fails".</summary>
    public const string ReadyTag = "ready";

    /// <summary>
    /// Adds two checks for a server that <c>AddGarnet</c> has registered: <c>garnet-live</c> with the tag <c>live</c> and
    /// <c>garnet-ready</c> with the tag <c>ready</c>; for a named server <c>garnet-name-live</c> and <c>garnet-name-ready</c>.
    /// </summary>
    /// <param name="builder">The application's health checks.</param>
    /// <param name="name">The server's name; empty for the one without.</param>
    public static IHealthChecksBuilder AddGarnet(this IHealthChecksBuilder builder, string name = "")
    {
        ArgumentNullException.ThrowIfNull(name);
        string prefix = name == Options.DefaultName ? "garnet" : $"garnet-{name}";
        builder.Add(
            new HealthCheckRegistration($"{prefix}-live", services => new LivenessCheck(Server(services)), failureStatus: null, [LiveTag])
        );
        builder.Add(
            new HealthCheckRegistration(
                $"{prefix}-ready",
                services => new ReadinessCheck(Server(services)),
                failureStatus: null,
                [ReadyTag]
            )
        );
        return builder;

        GarnetServer Server(IServiceProvider services) => services.GetRequiredKeyedService<GarnetServer>(name);
    }
}
