// Accepts on the thread pool, one connection after the other. Thread-safe.
using System.Net;
using System.Net.Sockets;
using Garnet.Network.Loops;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Sockets;

internal sealed class SocketsListener : StreamListener
{
    private const int RetryMs = 100;

    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;

    internal SocketsListener(SocketsTransport transport, ListeningSocket listening)
        : base(transport, listening) => _accepting = Task.Run(AcceptAllAsync);

    private protected override ValueTask StopAcceptingAsync()
    {
        _stop.Cancel();
        return new ValueTask(_accepting);
    }

    private async Task AcceptAllAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                Deliver(await Listening.Socket.AcceptAsync(_stop.Token).ConfigureAwait(false));
            }
            catch (OperationCanceledException)
            {
                return;
            }
            catch (SocketException failure)
            {
                // A peer that disconnected, or a lack of descriptors: neither ends the listening.
                Transport.Log.LogWarning(
                    "Cannot accept a connection: {Error}. Trying again in {RetryMs} ms.",
                    failure.SocketErrorCode,
                    RetryMs
                );
                await Task.Delay(RetryMs).ConfigureAwait(false);
            }
        }
    }

    private void Deliver(Socket socket)
    {
        EndPoint? remote,
            local;
        try
        {
            if (Listening.IsTcp)
                Transport.TcpOptions.Apply(socket);
            remote = Listening.IsTcp ? socket.RemoteEndPoint : Listening.EndPoint;
            local = socket.LocalEndPoint;
        }
        catch (SocketException)
        {
            socket.Dispose(); // the peer has reset it already
            return;
        }
        if (Transport.AssignLoop() is { } owner)
            Deliver(new SocketConnection(Transport, owner, socket, remote, local), owner);
        else
            socket.Dispose();
    }
}
