// The encrypted side of a TLS connection in the form that SslStream needs: a stream over the transport's pipe. One reader and one writer at
// a time; after the handshake, owner only.
using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Garnet.Network.Tls;

/// <summary>
/// Reads are copied from the transport's own receive buffer, which is returned as soon as it is empty. Writes are only buffered and sent
/// with a flush, so that the records of a batch are sent together.
/// </summary>
internal sealed class CipherStream(IDuplexPipe pipe) : Stream
{
    // Record type of the first message, a handshake. Any other first byte is not TLS.
    private const byte HandshakeRecord = 22;

    // Bytes of the last pipe read that have not been read from this stream yet. They count as consumed when all have been read.
    private ReadOnlySequence<byte> _held;
    private bool _hasBegun;
    private bool _hasEnded;

    /// <summary>
    /// During a handshake, continuations run on the thread pool, because a signature takes as long as a thousand commands of other clients.
    /// </summary>
    internal bool IsHandshaking { get; set; } = true;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_held.Length > 0)
            return new ValueTask<int>(Take(buffer.Span));
        if (_hasEnded)
            return new ValueTask<int>(0);
        ValueTask<ReadResult> read = pipe.Input.ReadAsync(cancellationToken);
        return read.IsCompletedSuccessfully && !IsHandshaking
            ? new ValueTask<int>(Accept(read.Result, buffer.Span))
            : WaitAsync(read, buffer);
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        pipe.Output.Write(buffer.Span);
        return default;
    }

    /// <summary>The runtime writes the alert of a failed handshake this way; it is sent when the connection is closed.</summary>
    public override void Write(ReadOnlySpan<byte> buffer) => pipe.Output.Write(buffer);

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        await pipe.Output.FlushAsync(CancellationToken.None).ConfigureAwait(false);
        if (IsHandshaking)
            await default(PoolSwitch);
    }

    public override void Flush() => throw new NotSupportedException();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>Sends what has been written. Completes at once on the owner.</summary>
    internal ValueTask<FlushResult> SendAsync() => pipe.Output.FlushAsync();

    /// <summary>Ends a pending read, and all further ones, as if the peer had ended the stream.</summary>
    internal void EndReading()
    {
        _hasEnded = true;
        pipe.Input.CancelPendingRead();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitAsync(ValueTask<ReadResult> read, Memory<byte> buffer)
    {
        int taken = Accept(await read.ConfigureAwait(false), buffer.Span);
        if (IsHandshaking)
            await default(PoolSwitch);
        return taken;
    }

    private int Accept(ReadResult read, Span<byte> buffer)
    {
        if (read.Buffer.IsEmpty)
        {
            pipe.Input.AdvanceTo(read.Buffer.End);
            _hasEnded = true;
            return 0;
        }

        _held = read.Buffer;
        if (!_hasBegun && _held.FirstSpan[0] != HandshakeRecord)
            throw new PlainTextException();
        _hasBegun = true;
        return Take(buffer);
    }

    private int Take(Span<byte> buffer)
    {
        int taken = (int)Math.Min(buffer.Length, _held.Length);
        if (taken == 0)
            return 0;
        ReadOnlySequence<byte> rest = _held.Slice(taken);
        _held.Slice(0, taken).CopyTo(buffer);
        if (rest.IsEmpty)
        {
            pipe.Input.AdvanceTo(_held.End);
            rest = default;
        }

        _held = rest;
        return taken;
    }
}
