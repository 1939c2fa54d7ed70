// A server that accepts a connection and never answers. One owner, which disposes of it.
using System.Net;
using System.Net.Sockets;

namespace Garnet.EndToEnd.Tests.Replication;

/// <summary>Listens on a free port of the loopback address.</summary>
internal sealed class SilentListener : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private Socket? _accepted;

    public SilentListener() => _listener.Start();

    /// <summary>The port.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Waits until something was sent to it.</summary>
    public void AwaitConnection()
    {
        _accepted = _listener.AcceptSocket();
        _accepted.Receive(new byte[1]);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _accepted?.Dispose();
        _listener.Dispose();
    }
}
