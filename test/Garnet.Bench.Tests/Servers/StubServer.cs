// A server that misbehaves in one way: on loopback, a port chosen by the system. One owner; each connection has its own thread.
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Garnet.Bench.Tests.Servers;

/// <summary>Answers PING and INFO as a server does, so that the load begins, and everything else as its script says.</summary>
internal sealed class StubServer : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Func<Socket, byte[], bool> _answer;
    private readonly bool _isPolite;

    /// <summary>Starts a server.</summary>
    /// <param name="answer">Answers what was received; false closes the connection.</param>
    /// <param name="isPolite">Whether PING and INFO are answered as usual.</param>
    public StubServer(Func<Socket, byte[], bool> answer, bool isPolite = true)
    {
        _answer = answer;
        _isPolite = isPolite;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(100);
        new Thread(Accept) { IsBackground = true }.Start();
    }

    /// <summary>The port.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>A server that always answers with these bytes.</summary>
    public static StubServer Answering(string reply, bool isPolite = true) =>
        new(
            (socket, _) =>
            {
                socket.Send(Encoding.Latin1.GetBytes(reply));
                return true;
            },
            isPolite
        );

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                Socket socket = _listener.Accept();
                new Thread(() => Serve(socket)) { IsBackground = true }.Start();
            }
        }
        catch (SocketException)
        {
            // Disposed of: the test is over.
        }
        catch (ObjectDisposedException)
        {
            // As above.
        }
    }

    private void Serve(Socket socket)
    {
        byte[] buffer = new byte[64 * 1024];
        using (socket)
        {
            try
            {
                while (socket.Receive(buffer) is var received and > 0)
                {
                    if (!Answer(socket, buffer[..received]))
                        return;
                }
            }
            catch (SocketException)
            {
                // The client has seen enough and closed the connection.
            }
        }
    }

    private bool Answer(Socket socket, byte[] request)
    {
        string text = Encoding.Latin1.GetString(request);
        string? usual =
            text.Contains("PING", StringComparison.Ordinal) ? "+PONG\r\n"
            : text.Contains("INFO", StringComparison.Ordinal) ? "$0\r\n\r\n"
            : null;
        if (!_isPolite || usual is null)
            return _answer(socket, request);
        socket.Send(Encoding.Latin1.GetBytes(usual));
        return true;
    }
}
