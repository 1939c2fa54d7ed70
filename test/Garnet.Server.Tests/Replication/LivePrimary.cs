// A primary that says what a test tells it to, when the test does. Any thread.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Server.Replication;
using Garnet.Testing;

namespace Garnet.Server.Tests.Replication;

/// <summary>One connection, which stays open until the server closes it; what is written to it is dropped.</summary>
internal sealed class LivePrimary : PeerStream, IServerConnector
{
    private readonly BlockingCollection<byte[]> _pieces = [];
    private byte[] _piece = [];
    private int _position;
    private int _unread;
    private int _connections;
    private volatile bool _isClosed;

    public bool IsClosed => _isClosed;

    /// <summary>Whether the server has received everything.</summary>
    public bool IsRead => Volatile.Read(ref _unread) == 0;

    public void Send(string text)
    {
        Interlocked.Add(ref _unread, text.Length);
        _pieces.Add(Encoding.Latin1.GetBytes(text));
    }

    public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken) =>
        Interlocked.Increment(ref _connections) == 1
            ? Task.FromResult<Stream>(this)
            : throw new IOException("There is only one connection.");

    public override int Read(Span<byte> buffer)
    {
        if (_position == _piece.Length)
        {
            if (!_pieces.TryTake(out byte[]? next, Timeout.Infinite))
                return 0;
            (_piece, _position) = (next, 0);
        }

        int length = Math.Min(buffer.Length, _piece.Length - _position);
        _piece.AsSpan(_position, length).CopyTo(buffer);
        _position += length;
        Interlocked.Add(ref _unread, -length);
        return length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        new(Task.Run(() => Read(buffer.Span), cancellationToken));

    protected override void Dispose(bool disposing)
    {
        _isClosed = true;
        _pieces.CompleteAdding();
        base.Dispose(disposing);
    }
}
