// Detects, while a server stops, connections that no longer accept their replies. Used by the thread that stops the server.
namespace Garnet.Hosting;

/// <summary>
/// The server waits for a client that reads slowly, but not for one that has accepted no bytes for a while, because it may never read
/// again.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class DrainWatch(TimeProvider time)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(250);

    private readonly Dictionary<ClientConnection, (long UnsentBytes, long Since)> _owed = [];

    /// <summary>Starts to watch a connection, also after its session has ended and before its replies are sent.</summary>
    public void Add(ClientConnection connection) => _owed.TryAdd(connection, (-1, time.GetTimestamp()));

    /// <summary>Aborts connections whose unsent bytes have not moved since the patience began.</summary>
    public void AbortStalled()
    {
        foreach ((ClientConnection connection, (long previous, long since)) in _owed)
        {
            long unsent = connection.UnsentBytes;
            if (unsent == 0 || unsent != previous)
                _owed[connection] = (unsent, time.GetTimestamp());
            else if (time.GetElapsedTime(since) > Patience)
                connection.Abort();
        }
    }
}
