// A server on a Unix socket, or on TCP as well, whose clients leave in the middle. One thread.
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Attack.Tests;

/// <summary>Starts `garnet`, and sends what its clients leave behind.</summary>
internal sealed class VanishedClientTarget : IDisposable
{
    private readonly byte[] _behind = FaultTarget.Pipeline(200_000 / 14, "PING");
    private readonly IPEndPoint? _tcp;

    public VanishedClientTarget(string transport, bool isTcp, params string[] arguments)
    {
        Process = GarnetProcess.Start(["--transport", transport, "--bind", "127.0.0.1", .. arguments]);
        if (!isTcp)
            return;
        _tcp = new IPEndPoint(IPAddress.Loopback, LoopbackPort.Free());
        using RespExchange client = Process.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "port", _tcp.Port.ToString(CultureInfo.InvariantCulture)));
    }

    public GarnetProcess Process { get; }

    public RespExchange Connect() => RespExchange.Connect(_tcp ?? Process.EndPoint);

    /// <summary>Sends a command and 200 KB of others behind it, as far as the server takes them, and closes.</summary>
    public void SendAndLeave(params string[] command)
    {
        EndPoint endPoint = _tcp ?? Process.EndPoint;
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, _tcp is null ? ProtocolType.Unspecified : ProtocolType.Tcp)
        {
            SendTimeout = 120_000,
        };
        socket.Connect(endPoint);
        // With its reply the server has it among its clients.
        socket.Send("PING\r\n"u8);
        Assert.Equal(7, socket.Receive(new byte[7]));
        socket.Send(RespExchange.Encode([.. command.Select(Encoding.ASCII.GetBytes)]));
        for (int sent = 0; sent < _behind.Length; )
            sent += socket.Send(_behind.AsSpan(sent));
    }

    /// <summary>Waits until no clients are left but those that the test still uses.</summary>
    public void AwaitOnly(int remaining)
    {
        using RespExchange client = Process.Connect();
        FaultTarget.Await(() => Lines(client) == remaining + 1, () => client.ExecuteText("CLIENT", "LIST"));
    }

    public void Dispose() => Process.Dispose();

    private static int Lines(RespExchange client) =>
        client.ExecuteText("CLIENT", "LIST").Split('\n').Count(line => line.StartsWith("id=", StringComparison.Ordinal));
}
