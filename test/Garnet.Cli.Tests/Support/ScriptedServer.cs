// A server that answers each request with given bytes. One thread for each connection.
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Garnet.Cli.Tests.Support;

/// <summary>Listens on loopback; reads a chunk of bytes, sends the next answer, and closes the connection behind the last one.</summary>
internal sealed class ScriptedServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<string, byte[]?> _answer;
    private volatile bool _closesAtOnce;

    /// <summary>Begins to listen.</summary>
    /// <param name="answer">Gives the answer to what was received, as Latin-1; null closes the connection.</param>
    public ScriptedServer(Func<string, byte[]?> answer)
    {
        _answer = answer;
        _listener.Start();
        new Thread(Accept) { IsBackground = true }.Start();
    }

    /// <summary>A server that sends these bytes for the first request and closes the connection.</summary>
    public static ScriptedServer Once(byte[] answer) => new(_ => answer) { _closesAtOnce = true };

    /// <summary>Its port, for -p.</summary>
    public string Port => ((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                Socket client = _listener.AcceptSocket();
                new Thread(() => Serve(client)) { IsBackground = true }.Start();
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // The test has ended.
        }
    }

    private void Serve(Socket client)
    {
        using (client)
        {
            byte[] buffer = new byte[64 * 1024];
            try
            {
                for (int read = client.Receive(buffer); read > 0; read = client.Receive(buffer))
                {
                    if (_answer(System.Text.Encoding.Latin1.GetString(buffer, 0, read)) is not { } answer)
                        return;
                    client.Send(answer);
                    if (_closesAtOnce)
                        return;
                }
            }
            catch (SocketException)
            {
                // The client is gone.
            }
        }
    }
}
