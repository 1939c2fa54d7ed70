// Checks whether an application's server still answers. Called by the application's health checks, any thread.
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Garnet.Hosting.Health;

/// <summary>
/// Healthy when the server gives any reply over one of its own endpoints, so a server that is loading its data is live. A server that has
/// not started yet counts as live, too, because restarting it would not help.
/// </summary>
/// <param name="server">The server.</param>
internal sealed class LivenessCheck(GarnetServer server) : IHealthCheck
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <inheritdoc/>
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        if (!server.IsListening || ServerPing.Of(server) is not { } ping)
            return HealthCheckResult.Healthy("listens nowhere");
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        ServerPingResult result = await ping.RunAsync(patience.Token).ConfigureAwait(false);
        // The server was stopped during the check.
        return result.Answers || !server.IsListening
            ? HealthCheckResult.Healthy(result.Line)
            : new HealthCheckResult(context.Registration.FailureStatus, result.Line);
    }
}
