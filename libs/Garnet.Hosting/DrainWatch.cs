// Tells, while a server stops, which connections no longer take their replies. Used by the one who stops the server.
namespace Garnet.Hosting;

/// <summary>
/// A client that reads slowly is waited for; one that has taken nothing of what it is owed for a while is not, as nobody knows whether it
/// ever will.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class DrainWatch(TimeProvider time)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(250);

    private readonly Dictionary<ClientConnection, (long UnsentBytes, long Since)> _owed = [];

    /// <summary>From now on the connection is looked after, also when its session has ended before its replies are sent.</summary>
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
