// Lets the replicas catch up before the server ends. Thread-safe.
using Garnet.Engine.Clients;
using Garnet.Server.Configuration;
using Garnet.Server.Replication;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Shutdown;

/// <summary>
/// The last effects before a shutdown: waits until all replicas have acknowledged them, for shutdown-timeout at most. The caller has paused
/// writes.
/// </summary>
internal sealed class LastEffects(
    ServerConfiguration configuration,
    ServerReplication replication,
    ServerClock clock,
    HybridLogStore store,
    ILogger log
)
{
    private const long MsPerSecond = 1000;

    // Replicas acknowledge at once; those of SYNC never do, and are looked at as often as this.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    private long _deadlineMs;

    /// <summary>Whether there are replicas to wait for.</summary>
    public bool MustWait => configuration.Current.ShutdownTimeoutSeconds > 0 && replication.Replicas.All.Length > 0;

    /// <summary>Milliseconds left for the replicas, for INFO; null while they are not waited for.</summary>
    public long? RemainingMs => Volatile.Read(ref _deadlineMs) is > 0 and long deadline ? Math.Max(0, deadline - clock.SteadyMs) : null;

    /// <summary>Completes when the replicas have everything, or the time is over.</summary>
    /// <exception cref="OperationCanceledException">The shutdown was aborted.</exception>
    public async Task WaitAsync(CancellationToken aborted)
    {
        using (StoreSession session = store.OpenSession())
        {
            // What began before the pause is done then.
            session.RunExclusive(static () => { });
        }

        if (replication.Replicas.All.All(IsInSync))
            return;
        log.LogInformation("Waiting for replicas before shutting down");
        long deadline = clock.SteadyMs + (configuration.Current.ShutdownTimeoutSeconds * MsPerSecond);
        Volatile.Write(ref _deadlineMs, deadline);
        try
        {
            await WaitAsync(deadline, aborted).ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _deadlineMs, 0);
        }
    }

    private async Task WaitAsync(long deadline, CancellationToken aborted)
    {
        while (true)
        {
            // Taken before the replicas are looked at.
            Task change = replication.Replicas.NextChange;
            ReplicaLink[] late = [.. replication.Replicas.All.Where(link => !IsInSync(link))];
            if (late.Length == 0)
            {
                log.LogInformation("All replicas are in sync; shutting down");
                return;
            }

            if (clock.SteadyMs >= deadline)
            {
                foreach (ReplicaLink link in late)
                    Report(link);
                return;
            }

            replication.RequestAcknowledgements();
            var pause = Task.Delay(Period, clock.Time, aborted);
            await (await Task.WhenAny(change, pause).ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    private bool IsInSync(ReplicaLink link) =>
        link.Properties.Acknowledges
            ? link.State == ReplicaLinkState.Online && link.Acknowledged >= replication.Effects.Stream.Position
            : link.Properties.IsSnapshotOnly
                || (link.State == ReplicaLinkState.Online && link.Lag == 0 && link.Client.Connection.UnsentBytes == 0);

    private void Report(ReplicaLink link) =>
        log.LogWarning(
            "Replica {Address}:{Port} is {Bytes} bytes behind when the server shuts down",
            link.Address,
            link.Properties.Port,
            replication.Effects.Stream.Position - link.Acknowledged
        );
}
