// A primary whose bytes change in the replica's buffer after the replica has looked at them. One thread at a time.
using System.Text;
using Garnet.Server.Replication;
using Garnet.Testing;

namespace Garnet.Server.Tests.Replication;

/// <summary>
/// Sends pieces, each of whole arguments, which all fit into the replica's first buffer. Before each, the lengths and counts in the pieces
/// before it are overwritten: a replica that looks at them again finds no request there.
/// </summary>
internal sealed class ForgetfulPrimary(string beginning, string[] pieces) : PeerStream, IServerConnector
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly byte[] _beginning = Encoding.Latin1.GetBytes(beginning);
    private readonly List<Memory<byte>> _given = [];
    private int _begun;
    private int _position;
    private int _connections;

    /// <summary>Completes when the server closes the connection.</summary>
    public Task Ended => _ended.Task;

    public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken) =>
        Interlocked.Increment(ref _connections) == 1
            ? Task.FromResult<Stream>(this)
            : throw new IOException("There is only one connection.");

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(buffer.Length, _beginning.Length - _begun);
        _beginning.AsSpan(_begun, length).CopyTo(buffer);
        _begun += length;
        return length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_begun < _beginning.Length)
            return new(Read(buffer.Span));
        foreach (Memory<byte> given in _given)
        {
            given.Span.Replace((byte)'$', (byte)'!');
            given.Span.Replace((byte)'*', (byte)'!');
        }

        if (_position == pieces.Length)
            return new(0);
        int length = Encoding.Latin1.GetBytes(pieces[_position++], buffer.Span);
        _given.Add(buffer[..length]);
        return new(length);
    }

    protected override void Dispose(bool disposing)
    {
        _ended.TrySetResult();
        base.Dispose(disposing);
    }
}
