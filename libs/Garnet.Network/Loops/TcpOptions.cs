// The TCP options of a connection. Stateless.
using System.Net.Sockets;

namespace Garnet.Network.Loops;

internal static class TcpOptions
{
    private const int Probes = 3;

    // The maximum that Linux accepts for each of the two times (MAX_TCP_KEEPIDLE, MAX_TCP_KEEPINTVL): about nine hours. A larger value is
    // an error there.
    private const int MaxSeconds = 32_767;

    /// <summary>
    /// No delay, and keep-alive with three probes a third of the interval apart: a dead peer is detected after twice the interval, as in
    /// Valkey.
    /// </summary>
    internal static void Apply(Socket socket, TransportOptions options)
    {
        socket.NoDelay = options.NoDelay;
        int seconds = Math.Min(options.TcpKeepAliveSeconds, MaxSeconds);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, seconds > 0);
        if (seconds == 0)
            return;
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, seconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, Math.Max(1, seconds / 3));
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
    }
}
