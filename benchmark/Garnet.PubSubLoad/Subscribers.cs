// Connections that subscribe and count the bytes they receive. Completions run on the thread pool.
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Garnet.PubSubLoad;

/// <summary>Reads as fast as it can: the server is measured, not this.</summary>
internal sealed class Subscribers : IDisposable
{
    private readonly List<Socket> _sockets = [];
    private readonly byte[] _discarded = GC.AllocateUninitializedArray<byte>(256 * 1024, pinned: true);
    private long _received;

    /// <summary>Bytes of messages received by all connections.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Connects and subscribes; every subscription has been confirmed on return.</summary>
    public static Subscribers Connect(IPEndPoint server, Scenario scenario)
    {
        Subscribers subscribers = new();
        for (int connection = 0; connection < scenario.Connections; connection++)
        {
            Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            socket.Connect(server);
            IEnumerable<string> channels = Enumerable
                .Range(0, scenario.ChannelsPerConnection)
                .Select(i => Publisher.ChannelName(((connection * scenario.ChannelsPerConnection) + i) % scenario.Channels));
            subscribers.Subscribe(socket, [.. channels]);
        }

        return subscribers;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Socket socket in _sockets)
            socket.Dispose();
    }

    private void Subscribe(Socket socket, string[] channels)
    {
        socket.Send(Publisher.Request(["SUBSCRIBE", .. channels]));
        long expected = 0;
        for (int i = 0; i < channels.Length; i++)
        {
            string length = channels[i].Length.ToString(CultureInfo.InvariantCulture);
            string count = (i + 1).ToString(CultureInfo.InvariantCulture);
            expected += $"*3\r\n$9\r\nsubscribe\r\n${length}\r\n{channels[i]}\r\n:{count}\r\n".Length;
        }

        while (expected > 0)
            expected -= socket.Receive(_discarded, 0, (int)Math.Min(expected, _discarded.Length), SocketFlags.None);
        _sockets.Add(socket);
        _ = ReadAsync(socket);
    }

    // All connections read into the same memory: nobody looks at it.
    private async Task ReadAsync(Socket socket)
    {
        try
        {
            while (await socket.ReceiveAsync(_discarded, SocketFlags.None).ConfigureAwait(false) is > 0 and int received)
                Interlocked.Add(ref _received, received);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return;
        }
    }
}
