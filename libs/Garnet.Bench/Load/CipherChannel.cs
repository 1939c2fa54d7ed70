// The encrypted side of a TLS channel, in the form that SslStream needs. One thread.
using System.Threading.Tasks.Sources;

namespace Garnet.Bench.Load;

/// <summary>
/// A stream over a channel. During the handshake reads wait; afterwards a read that finds nothing stays pending until
/// <see cref="ResumeRead"/>, whose caller runs what follows.
/// </summary>
internal sealed class CipherChannel(PlainChannel channel, Func<bool> waitReadable) : Stream, IValueTaskSource<int>
{
    private ManualResetValueTaskSourceCore<int> _pending;
    private Memory<byte> _destination;
    private bool _isPending;

    /// <summary>Whether reads wait instead of staying pending.</summary>
    public bool IsHandshaking { get; set; } = true;

    /// <summary>As of the channel below.</summary>
    public bool IsBlocked => channel.IsBlocked;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Sends what was kept.</summary>
    public void Continue() => channel.Continue();

    /// <summary>Completes the pending read if there is something to read.</summary>
    public void ResumeRead()
    {
        if (!_isPending)
            return;
        int received = channel.Receive(_destination.Span);
        if (received < 0)
            return;
        _isPending = false;
        _pending.SetResult(received);
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (buffer.IsEmpty)
            return new ValueTask<int>(0);
        int received = Receive(buffer.Span);
        if (received >= 0)
            return new ValueTask<int>(received);
        _pending.Reset();
        _destination = buffer;
        _isPending = true;
        return new ValueTask<int>(this, _pending.Version);
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int received = Receive(buffer);
        return received >= 0 ? received : throw new InvalidOperationException("A read would wait on the thread of the load.");
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        channel.Send(buffer.Span);
        return default;
    }

    public override void Write(byte[] buffer, int offset, int count) => channel.Send(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer) => channel.Send(buffer);

    public override void Flush() { }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    int IValueTaskSource<int>.GetResult(short token) => _pending.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _pending.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _pending.OnCompleted(continuation, state, token, flags);

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            channel.Dispose();
        base.Dispose(disposing);
    }

    // While handshaking: until there is something, or the time for connecting is over.
    private int Receive(Span<byte> buffer)
    {
        while (true)
        {
            int received = channel.Receive(buffer);
            if (received >= 0 || !IsHandshaking)
                return received;
            channel.Continue();
            if (!waitReadable())
                throw new TimeoutException();
        }
    }
}
