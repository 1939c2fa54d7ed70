// Bytes that arrive in pieces of a given size. One thread.
using Garnet.Testing;

namespace Garnet.Server.Tests.Replication;

/// <summary>A connection on which everything has been sent already; what is written to it is dropped.</summary>
/// <param name="bytes">What was sent.</param>
/// <param name="pieceBytes">Bytes that a read returns at most.</param>
/// <param name="closed">Called when the server closes the connection.</param>
internal sealed class PieceStream(byte[] bytes, int pieceBytes, Action? closed = null) : PeerStream
{
    private int _position;

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(Math.Min(pieceBytes, buffer.Length), bytes.Length - _position);
        bytes.AsSpan(_position, length).CopyTo(buffer);
        _position += length;
        return length;
    }

    protected override void Dispose(bool disposing)
    {
        closed?.Invoke();
        base.Dispose(disposing);
    }
}
