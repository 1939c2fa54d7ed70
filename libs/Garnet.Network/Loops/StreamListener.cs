// The accepting end of a transport: a bound socket and the connections that wait for AcceptAsync. Thread-safe.
using System.Net;
using System.Threading.Channels;
using Garnet.Network.Connections;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Loops;

internal abstract class StreamListener(LoopTransport transport, ListeningSocket listening) : IConnectionListener
{
    private readonly Channel<StreamConnection> _accepted = Channel.CreateUnbounded<StreamConnection>(
        new UnboundedChannelOptions { SingleReader = true, AllowSynchronousContinuations = false }
    );

    private int _unbound;

    public EndPoint EndPoint => listening.EndPoint;

    private protected LoopTransport Transport => transport;

    private protected ListeningSocket Listening => listening;

    private protected bool IsUnbound => Volatile.Read(ref _unbound) != 0;

    /// <summary>The next connection, or null when the listener is unbound and no connection is waiting.</summary>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (await _accepted.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_accepted.Reader.TryRead(out StreamConnection? connection))
                return connection;
        }
        return null;
    }

    public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        if (Interlocked.Exchange(ref _unbound, 1) != 0)
            return;
        await StopAcceptingAsync().ConfigureAwait(false);
        listening.Dispose();
        _accepted.Writer.TryComplete();
        transport.Remove(this);
    }

    public async ValueTask DisposeAsync()
    {
        await UnbindAsync().ConfigureAwait(false);
        // Connections that were never accepted.
        while (_accepted.Reader.TryRead(out StreamConnection? connection))
        {
            connection.Abort();
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>The keep-alive interval for new connections has changed.</summary>
    internal virtual void KeepAliveChanged() { }

    /// <summary>Stops accepting connections from the kernel; when it completes, no thread uses the socket any more.</summary>
    private protected abstract ValueTask StopAcceptingAsync();

    /// <summary>Attaches a connection to its loop and passes it to the accepting caller.</summary>
    private protected void Deliver(StreamConnection connection, OwnerLoop owner)
    {
        owner.TryPost(connection, StreamConnection.AttachCallback, connection);
        if (_accepted.Writer.TryWrite(connection))
            return;
        connection.Abort();
        _ = connection.DisposeAsync().AsTask(); // completes on the owner; the connection is not visible to anything else
    }
}
