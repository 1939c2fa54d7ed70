// Ports for programs that cannot choose one themselves. Stateless; any thread.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Testing;

/// <summary>Finds ports of 127.0.0.1.</summary>
internal static class LoopbackPort
{
    /// <summary>A port that is free now; somebody else may bind it before the caller does.</summary>
    public static int Free()
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }
}
