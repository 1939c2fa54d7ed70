// The TCP options of a connection. Stateless.
using System.Net.Sockets;

namespace Garnet.Network;

internal static class TcpOptions
{
    private const int Probes = 3;

    /// <summary>No delay, and keep-alive with three probes a third of the interval apart: a dead peer is noticed after twice the interval, as in Valkey.</summary>
    internal static void Apply(Socket socket, TransportOptions options)
    {
        socket.NoDelay = options.NoDelay;
        var seconds = options.TcpKeepAliveSeconds;
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, seconds > 0);
        if (seconds == 0)
            return;
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, seconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, Math.Max(1, seconds / 3));
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
    }
}
