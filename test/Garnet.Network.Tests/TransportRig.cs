// A transport with one listener that runs a delegate per connection, as Kestrel does: started on the thread pool, with the connection
// disposed of at the end. Thread-safe.
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

internal sealed class TransportRig : IAsyncDisposable
{
    internal static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly ConcurrentBag<Task> _sessions = [];
    private readonly Func<ConnectionContext, Task> _session;
    private Task _accepting = Task.CompletedTask;
    private int _ended;

    private TransportRig(ITransport transport, IConnectionListener listener, Func<ConnectionContext, Task> session)
    {
        Transport = transport;
        Listener = listener;
        _session = session;
    }

    internal ITransport Transport { get; }

    internal IConnectionListener Listener { get; }

    internal EndPoint EndPoint => Listener.EndPoint;

    /// <summary>Number of sessions whose connection has been disposed of.</summary>
    internal int Ended => Volatile.Read(ref _ended);

    internal static async Task<TransportRig> StartAsync(
        string transport,
        Func<ConnectionContext, Task> session,
        TransportOptions? options = null,
        EndPoint? endPoint = null
    )
    {
        ITransport made = Transports.Create(transport, options);
        IConnectionListener listener = await made.BindAsync(endPoint ?? new IPEndPoint(IPAddress.Loopback, 0));
        var rig = new TransportRig(made, listener, session);
        rig._accepting = Task.Run(rig.AcceptAsync);
        return rig;
    }

    internal async Task<Socket> ConnectAsync(int receiveBuffer = 0)
    {
        Socket socket = EndPoint is IPEndPoint ip
            ? new Socket(ip.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        if (receiveBuffer > 0)
            socket.ReceiveBufferSize = receiveBuffer;
        await socket.ConnectAsync(EndPoint).WaitAsync(Patience);
        return socket;
    }

    /// <summary>Waits until other threads make a condition true.</summary>
    internal static async Task UntilAsync(Func<bool> condition, string what)
    {
        DateTime deadline = DateTime.UtcNow + Patience;
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < deadline, $"Waited too long for: {what}");
            await Task.Delay(1);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Listener.UnbindAsync().AsTask().WaitAsync(Patience);
        await _accepting.WaitAsync(Patience);
        await Listener.DisposeAsync();
        await Transport.DisposeAsync().AsTask().WaitAsync(Patience);
        await Task.WhenAll(_sessions).WaitAsync(Patience);
    }

    private async Task AcceptAsync()
    {
        while (await Listener.AcceptAsync() is { } connection)
            _sessions.Add(Task.Run(() => RunAsync(connection)));
    }

    private async Task RunAsync(ConnectionContext connection)
    {
        try
        {
            await _session(connection);
        }
        finally
        {
            await connection.DisposeAsync();
            Interlocked.Increment(ref _ended);
        }
    }
}
