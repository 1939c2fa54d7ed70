// Two ends of pipes as a stream. One reader and one writer at a time.
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting.Http;

/// <summary>Reads from one pipe and writes to another; disposing completes both.</summary>
internal sealed class PipeStream(IDuplexPipe pipe) : Stream
{
    private readonly Stream _input = pipe.Input.AsStream();
    private readonly Stream _output = pipe.Output.AsStream();

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => _input.Read(buffer, offset, count);

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            return await _input.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        // It looks like a cancelled call and is none; who ended the connection may have said why.
        catch (ConnectionAbortedException e)
        {
            throw e.InnerException as IOException ?? new IOException("The connection is closed.", e);
        }
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => _output.Write(buffer, offset, count);

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await _output.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (InvalidOperationException e)
        {
            throw Closed(e);
        }
    }

    /// <inheritdoc/>
    public override void Flush() => _output.Flush();

    /// <inheritdoc/>
    public override async Task FlushAsync(CancellationToken cancellationToken)
    {
        try
        {
            await _output.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (InvalidOperationException e)
        {
            throw Closed(e);
        }
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _output.Dispose();
            _input.Dispose();
        }

        base.Dispose(disposing);
    }

    // Who ends the connection completes both ends of the pipe, also this one.
    private static IOException Closed(InvalidOperationException e) => new("The connection is closed.", e);
}
