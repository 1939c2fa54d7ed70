// A peer in memory: gives prepared bytes in pieces of a chosen size and keeps what is sent. One caller at a time.
namespace Garnet.Client.Tests;

/// <summary>A duplex stream whose incoming side is fixed; at its end it closes, or waits for ever when told to hang.</summary>
internal sealed class ScriptedStream(byte[] incoming, int pieceBytes = int.MaxValue, bool hangs = false) : Stream
{
    private int _position;

    public MemoryStream Sent { get; } = new();

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_position == incoming.Length && hangs)
            await Task.Delay(Timeout.Infinite, cancellationToken);
        int length = Math.Min(Math.Min(buffer.Length, pieceBytes), incoming.Length - _position);
        incoming.AsMemory(_position, length).CopyTo(buffer);
        _position += length;
        return length;
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => Sent.Write(buffer, offset, count);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Sent.Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override void Flush() { }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}
