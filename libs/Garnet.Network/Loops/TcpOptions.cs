// The TCP options of a transport's connections. Any thread.
using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Loops;

/// <summary>
/// Sets the options of sockets. One that the system does not know (Windows before 10 1709 and Server 2016 has no times of keep-alive) is
/// tried once and then left out: a connection without it is better than none.
/// </summary>
internal sealed class TcpOptions(TransportOptions options, ILogger log)
{
    private const int Probes = 3;

    // The maximum that Linux accepts for each of the two times (MAX_TCP_KEEPIDLE, MAX_TCP_KEEPINTVL): about nine hours. A larger value is
    // an error there.
    private const int MaxSeconds = 32_767;

    private readonly ConcurrentDictionary<SocketOptionName, bool> _unknown = new();

    /// <summary>
    /// No delay, and keep-alive with three probes a third of the interval apart: a dead peer is detected after twice the interval, as in
    /// Valkey.
    /// </summary>
    /// <exception cref="SocketException">The peer has reset the connection.</exception>
    public void Apply(Socket socket)
    {
        Set(socket, SocketOptionLevel.Tcp, SocketOptionName.NoDelay, options.NoDelay ? 1 : 0);
        int seconds = Math.Min(options.TcpKeepAliveSeconds, MaxSeconds);
        Set(socket, SocketOptionLevel.Socket, SocketOptionName.KeepAlive, seconds > 0 ? 1 : 0);
        if (seconds == 0)
            return;
        Set(socket, SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, seconds);
        Set(socket, SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, Math.Max(1, seconds / 3));
        Set(socket, SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, Probes);
    }

    /// <summary>Sets one option, unless the system does not know it.</summary>
    internal void Set(
        Socket socket,
        SocketOptionLevel level,
        SocketOptionName name,
        int value,
        // Options of different levels share their numbers, so that a value's own text may be another option's name.
        [CallerArgumentExpression(nameof(name))] string text = ""
    )
    {
        if (!_unknown.IsEmpty && _unknown.ContainsKey(name))
            return;
        try
        {
            socket.SetSocketOption(level, name, value);
        }
        catch (SocketException e) when (IsUnknown(e.SocketErrorCode))
        {
            if (_unknown.TryAdd(name, true))
            {
                log.LogWarning(
                    "The system does not support the socket option {Option} ({Error}); connections do without it",
                    text,
                    e.SocketErrorCode
                );
            }
        }
    }

    private static bool IsUnknown(SocketError error) =>
        error
            is SocketError.ProtocolOption
                or SocketError.OperationNotSupported
                or SocketError.InvalidArgument
                or SocketError.ProtocolNotSupported;
}
