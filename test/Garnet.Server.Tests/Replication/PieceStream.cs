// Bytes that arrive in pieces of a given size. One thread.
namespace Garnet.Server.Tests.Replication;

/// <summary>A connection on which everything has been sent already; what is written to it is dropped.</summary>
/// <param name="bytes">What was sent.</param>
/// <param name="pieceBytes">Bytes that a read returns at most.</param>
/// <param name="closed">Called when the server closes the connection.</param>
internal sealed class PieceStream(byte[] bytes, int pieceBytes, Action? closed = null) : Stream
{
    private int _position;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int length = Math.Min(Math.Min(pieceBytes, buffer.Length), bytes.Length - _position);
        bytes.AsSpan(_position, length).CopyTo(buffer);
        _position += length;
        return length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override void Write(byte[] buffer, int offset, int count) { }

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        closed?.Invoke();
        base.Dispose(disposing);
    }
}
