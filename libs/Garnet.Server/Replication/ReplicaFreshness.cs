// How old the data of a replica is, and whether it contains a write. Any thread.
using System.Globalization;
using Garnet.Engine.Clients;
using Garnet.Server.Configuration;

namespace Garnet.Server.Replication;

/// <summary>What readers of a replica can know about the data that they read.</summary>
internal sealed class ReplicaFreshness(ServerConfiguration configuration, ServerReplication replication, ServerClock clock)
{
    // How often the state of the link is looked at while nothing is applied.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    /// <summary>Why a replica's data is too old for replica-max-lag; null when it is not, or the server is no replica.</summary>
    public string? Problem()
    {
        int most = configuration.Current.ReplicaMaxLagSeconds;
        if (most == 0 || replication.Primary is not { } primary)
            return null;
        long lag = primary.LagMs(clock.SteadyMs);
        if (lag < 0)
            return "the replica has not synchronized with its primary yet";
        return lag > most * 1000L
            ? string.Create(CultureInfo.InvariantCulture, $"the replica's data is {lag / 1000} s old; replica-max-lag is {most} s")
            : null;
    }

    /// <summary>Completes when the data contains a position of a history.</summary>
    /// <exception cref="TimeoutException">It did not within the time.</exception>
    /// <exception cref="InvalidOperationException">The data is the result of another history.</exception>
    public async Task WaitAsync(string history, long position, TimeSpan timeout, CancellationToken cancel)
    {
        TimeProvider time = clock.Time;
        long start = time.GetTimestamp();
        while (true)
        {
            // Taken before the position is looked at.
            Task next = replication.Effects.Progress.Next;
            if (Has(history, position))
                return;
            TimeSpan left = timeout - time.GetElapsedTime(start);
            if (left <= TimeSpan.Zero)
            {
                throw new TimeoutException(
                    $"The server is at position {replication.Effects.Stream.Position} of history {replication.History.Id}; {position} was waited for."
                );
            }

            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
            var pause = Task.Delay(left < Period ? left : Period, time, end.Token);
            await Task.WhenAny(next, pause).ConfigureAwait(false);
            await end.CancelAsync().ConfigureAwait(false);
            cancel.ThrowIfCancellationRequested();
        }
    }

    private bool Has(string history, long position)
    {
        bool isKnown = replication.History.Includes(history, position + 1);
        if (isKnown && replication.Effects.IsReplicating)
            return replication.Effects.Stream.Position >= position;
        // Until it is connected it may still become a replica with that history.
        if (isKnown || replication.Primary is { State: not PrimaryLinkState.Connected })
            return false;
        throw new InvalidOperationException(
            $"The server's data is not the result of history {history} up to position {position}: its history is {replication.History.Id}."
        );
    }
}
