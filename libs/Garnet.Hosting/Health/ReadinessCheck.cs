// Checks whether an application's server is ready for clients. Called by the application's health checks, any thread.
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Garnet.Hosting.Health;

/// <summary>
/// Healthy when the server has loaded its data, is not stopping, and can save; see <see cref="GarnetServer.NotReadyReason"/>.
/// </summary>
/// <param name="server">The server.</param>
internal sealed class ReadinessCheck(GarnetServer server) : IHealthCheck
{
    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(
            server.NotReadyReason is { } reason
                ? new HealthCheckResult(context.Registration.FailureStatus, reason)
                : HealthCheckResult.Healthy()
        );
}
