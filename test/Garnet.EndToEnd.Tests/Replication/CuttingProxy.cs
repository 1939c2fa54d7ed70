// A TCP connection's way through which a test can cut it at any byte. One owner; each connection is copied by tasks of its own.
using System.Net;
using System.Net.Sockets;

namespace Garnet.EndToEnd.Tests.Replication;

/// <summary>Passes connections on to a port; each ends after as many bytes from there as the test says.</summary>
internal sealed class CuttingProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<long> _bytesUntilCut;
    private readonly Task _accepting;
    private int _cuts;

    /// <summary>Begins to accept.</summary>
    /// <param name="target">The port to connect to.</param>
    /// <param name="bytesUntilCut">Called for each connection.</param>
    public CuttingProxy(int target, Func<long> bytesUntilCut)
    {
        _bytesUntilCut = bytesUntilCut;
        Target = target;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The port that is passed on.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>The port to connect to.</summary>
    public int Target { get; set; }

    /// <summary>Connections cut so far.</summary>
    public int Cuts => Volatile.Read(ref _cuts);

    /// <inheritdoc/>
    public void Dispose()
    {
        _listener.Dispose();
        _accepting.GetAwaiter().GetResult();
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket accepted;
            try
            {
                accepted = await _listener.AcceptSocketAsync();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // Disposed.
                return;
            }

            _ = PassOnAsync(accepted, _bytesUntilCut());
        }
    }

    private async Task PassOnAsync(Socket near, long left)
    {
        using Socket far = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using (near)
        {
            try
            {
                await far.ConnectAsync(IPAddress.Loopback, Target);
                Task back = CopyAsync(near, far, long.MaxValue);
                await CopyAsync(far, near, left);
                Interlocked.Increment(ref _cuts);
                far.Dispose();
                near.Dispose();
                await back;
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // One side has ended the connection.
            }
        }
    }

    private static async Task CopyAsync(Socket from, Socket to, long left)
    {
        byte[] buffer = new byte[16 * 1024];
        while (left > 0)
        {
            int received = await from.ReceiveAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, left)));
            if (received == 0)
                throw new SocketException((int)SocketError.ConnectionReset);
            for (int sent = 0; sent < received; )
                sent += await to.SendAsync(buffer.AsMemory(sent, received - sent));
            left -= received;
        }
    }
}
