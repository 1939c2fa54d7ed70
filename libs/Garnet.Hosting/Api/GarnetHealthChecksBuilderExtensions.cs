// Registers a server's health checks with an application's. At start, one thread.
using Garnet;
using Garnet.Hosting.Health;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds servers to an application's health checks.</summary>
public static class GarnetHealthChecksBuilderExtensions
{
    /// <summary>The tag of the liveness check: when it fails, the process should be restarted.</summary>
    public const string LiveTag = "live";

    /// <summary>The tag of the readiness check: while it fails, no clients should be sent to the server.</summary>
    public const string ReadyTag = "ready";

    private const string DefaultName = "garnet";

    /// <summary>
    /// Adds two checks for a server that <c>AddGarnet</c> has registered: <c>name-live</c> with the tag <see cref="LiveTag"/>, and
    /// <c>name-ready</c> with the tag <see cref="ReadyTag"/>.
    /// </summary>
    /// <example><code>builder.Services.AddHealthChecks().AddGarnet();</code></example>
    /// <param name="builder">The application's health checks.</param>
    /// <param name="name">
    /// The prefix of both names; null for <c>garnet</c>, or <c>garnet-</c> and the server's name where that has one.
    /// </param>
    /// <param name="failureStatus">The status of a failed check; null for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags that both get in addition to their own.</param>
    /// <param name="timeout">How long each check may take; null for the checks' own limit of five seconds.</param>
    /// <param name="serverName">The server's name; null or empty for the unnamed server.</param>
    /// <returns>The same health checks.</returns>
    public static IHealthChecksBuilder AddGarnet(
        this IHealthChecksBuilder builder,
        string? name = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null,
        string? serverName = null
    )
    {
        ArgumentNullException.ThrowIfNull(builder);
        string server = serverName ?? Options.Options.DefaultName;
        name ??= server.Length == 0 ? DefaultName : $"{DefaultName}-{server}";
        string[] given = [.. tags ?? []];
        Add("live", LiveTag, services => new LivenessCheck(Server(services)));
        Add("ready", ReadyTag, services => new ReadinessCheck(Server(services)));
        return builder;

        void Add(string suffix, string tag, Func<IServiceProvider, IHealthCheck> check) =>
            builder.Add(new HealthCheckRegistration($"{name}-{suffix}", check, failureStatus, [tag, .. given], timeout));

        GarnetServer Server(IServiceProvider services) => services.GetRequiredKeyedService<GarnetServer>(server);
    }
}
