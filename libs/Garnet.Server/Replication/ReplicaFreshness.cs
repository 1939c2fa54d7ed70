// How old the data of a replica is, and whether it contains a write. Stateless; any thread.
using System.Globalization;
using Garnet.Server.Sessions;

namespace Garnet.Server.Replication;

/// <summary>What readers of a replica can know about the data that they read.</summary>
internal static class ReplicaFreshness
{
    // How often the state of the link is looked at while nothing is applied.
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    /// <summary>Why a replica's data is too old for replica-max-lag; null when it is not, or the server is no replica.</summary>
    public static string? Problem(RespServer server)
    {
        int most = server.Configuration.Current.ReplicaMaxLagSeconds;
        if (most == 0 || server.Replication.Primary is not { } primary)
            return null;
        long lag = primary.LagMs(server.Clock.SteadyMs);
        if (lag < 0)
            return "the replica has not synchronized with its primary yet";
        return lag > most * 1000L
            ? string.Create(CultureInfo.InvariantCulture, $"the replica's data is {lag / 1000} s old; replica-max-lag is {most} s")
            : null;
    }

    /// <summary>Completes when the data contains a position of a history.</summary>
    /// <exception cref="TimeoutException">It did not within the time.</exception>
    /// <exception cref="InvalidOperationException">The data is the result of another history.</exception>
    public static async Task WaitAsync(RespServer server, string history, long position, TimeSpan timeout, CancellationToken cancel)
    {
        TimeProvider time = server.Clock.Time;
        long start = time.GetTimestamp();
        while (true)
        {
            // Taken before the position is looked at.
            Task next = server.Replication.Effects.Progress.Next;
            if (Has(server, history, position))
                return;
            TimeSpan left = timeout - time.GetElapsedTime(start);
            if (left <= TimeSpan.Zero)
            {
                throw new TimeoutException(
                    $"The server is at position {server.Replication.Effects.Stream.Position} of history {server.Replication.History.Id}; {position} was waited for."
                );
            }

            using var end = CancellationTokenSource.CreateLinkedTokenSource(cancel);
            var pause = Task.Delay(left < Period ? left : Period, time, end.Token);
            await Task.WhenAny(next, pause).ConfigureAwait(false);
            await end.CancelAsync().ConfigureAwait(false);
            cancel.ThrowIfCancellationRequested();
        }
    }

    private static bool Has(RespServer server, string history, long position)
    {
        ServerReplication replication = server.Replication;
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
