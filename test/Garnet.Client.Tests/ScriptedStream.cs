// A peer in memory: gives prepared bytes in pieces of a chosen size and keeps what is sent. One caller at a time.
using Garnet.Testing;

namespace Garnet.Client.Tests;

/// <summary>A duplex stream whose incoming side is fixed; at its end it closes, or waits for ever when told to hang.</summary>
internal sealed class ScriptedStream(byte[] incoming, int pieceBytes = int.MaxValue, bool hangs = false) : PeerStream
{
    private int _position;

    public MemoryStream Sent { get; } = new();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_position == incoming.Length && hangs)
            await Task.Delay(Timeout.Infinite, cancellationToken);
        int length = Math.Min(Math.Min(buffer.Length, pieceBytes), incoming.Length - _position);
        incoming.AsMemory(_position, length).CopyTo(buffer);
        _position += length;
        return length;
    }

    public override int Read(Span<byte> buffer) => throw new NotSupportedException();

    public override void Write(ReadOnlySpan<byte> buffer) => Sent.Write(buffer);
}
