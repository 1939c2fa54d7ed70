// The real connections of a thread. One thread.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using Garnet.Bench.Servers;
using Garnet.Client;
using Garnet.Network.Polling;

namespace Garnet.Bench.Load;

/// <summary>
/// Connects without the runtime's asynchronous sockets: its own thread would wake for each reply of a socket that has ever waited there.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="keepsAlive">Whether connections last; others leave no port behind that waits for late segments.</param>
internal sealed class SocketChannels(ServerTarget server, bool keepsAlive) : ChannelSet
{
    private const int MicrosecondsPerMillisecond = 1000;

    private readonly SocketPoller _poller = SocketPoller.Create();
    private readonly List<(ILoadChannel Channel, PolledSocket Socket)> _channels = [];

    /// <inheritdoc/>
    public override ILoadChannel Open(int id)
    {
        _channels.Add(Create(id));
        return _channels[^1].Channel;
    }

    /// <inheritdoc/>
    public override ILoadChannel Reopen(int id)
    {
        (ILoadChannel channel, PolledSocket socket) = _channels[id];
        _poller.Remove(socket);
        channel.Dispose();
        _channels[id] = Create(id);
        return _channels[id].Channel;
    }

    /// <inheritdoc/>
    public override int Wait(Span<ReadySocket> ready, long timeoutNs) => _poller.Wait(ready, timeoutNs);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        foreach ((ILoadChannel channel, _) in _channels)
            channel.Dispose();
        _poller.Dispose();
    }

    private (ILoadChannel Channel, PolledSocket Socket) Create(int id)
    {
        long start = Stopwatch.GetTimestamp();
        var socket = new PolledSocket(Connect(start));
        var plain = new PlainChannel(socket, _poller, id);
        ILoadChannel channel;
        try
        {
            channel = server.Tls is null ? plain : StartTls(socket, plain, start);
            _poller.Add(socket, id);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return (channel, socket);
    }

    private Socket Connect(long start)
    {
        Socket? socket = null;
        try
        {
            socket = ClientSocket.Create(server.EndPoint);
            socket.Blocking = false;
            if (!keepsAlive && socket.AddressFamily != AddressFamily.Unix)
                socket.LingerState = new LingerOption(enable: true, seconds: 0);
            Connect(socket, start);
            return socket;
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            throw server.CannotConnect(e);
        }
    }

    private void Connect(Socket socket, long start)
    {
        while (true)
        {
            try
            {
                socket.Connect(server.EndPoint);
                return;
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.InProgress)
            {
                break;
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.TryAgain)
            {
                // A Unix socket whose listener's queue is full says so, and has to be asked again; TCP is under way.
                if (socket.AddressFamily != AddressFamily.Unix)
                    break;
                if (RemainingMs(start) == 0)
                    throw new SocketException((int)SocketError.TimedOut);
                Thread.Sleep(1);
            }
        }

        if (!socket.Poll(RemainingMs(start) * MicrosecondsPerMillisecond, SelectMode.SelectWrite))
            throw new SocketException((int)SocketError.TimedOut);
        int error = (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
        if (error != 0)
            throw new SocketException(error);
    }

    private TlsChannel StartTls(PolledSocket socket, PlainChannel plain, long start)
    {
        var cipher = new CipherChannel(
            plain,
            () => RemainingMs(start) is var left and > 0 && socket.Socket.Poll(left * MicrosecondsPerMillisecond, SelectMode.SelectRead)
        );
        try
        {
            // Reads and writes of the stream complete at once or wait on this thread.
            Stream tls = TlsHandshake.RunAsync(cipher, server.Tls!, server.EndPoint, CancellationToken.None).GetAwaiter().GetResult();
            cipher.IsHandshaking = false;
            return new TlsChannel(tls, cipher);
        }
        catch (Exception e) when (e is IOException or AuthenticationException or TimeoutException)
        {
            throw server.CannotConnect(e);
        }
    }

    private int RemainingMs(long start) =>
        (int)
            Math.Clamp(
                (server.ConnectTimeout - Stopwatch.GetElapsedTime(start)).TotalMilliseconds,
                0,
                int.MaxValue / MicrosecondsPerMillisecond
            );
}
