// A reply too large to be written at once: written piece by piece from data that a command has collected. Belongs to the connection's
// thread.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Engine.Arguments;

/// <summary>
/// Each piece is written when the network has accepted the previous one; the data may change meanwhile, the reply shows its original state.
/// </summary>
/// <param name="source">The data of the reply; disposed with its last piece.</param>
internal abstract class PiecewiseReply(IDisposable source) : PendingReply
{
    private const long PieceBytes = 256 * 1024;

    private bool _isBegun;
    private bool _isComplete;

    /// <inheritdoc/>
    public sealed override bool PrecedesMessages => true;

    /// <inheritdoc/>
    public sealed override bool HasMore => !_isComplete;

    /// <inheritdoc/>
    public sealed override Task WaitAsync(CancellationToken connectionClosed) => Task.CompletedTask;

    /// <inheritdoc/>
    public sealed override Task AbandonAsync()
    {
        source.Dispose();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public sealed override void WriteReply(ref RespWriter reply)
    {
        long end = reply.BytesWritten + PieceBytes;
        if (!_isBegun)
            WriteHeader(ref reply);
        _isBegun = true;
        _isComplete = WritePiece(ref reply, end);
        if (_isComplete)
            source.Dispose();
    }

    /// <summary>Writes the header before the elements.</summary>
    protected abstract void WriteHeader(ref RespWriter reply);

    /// <summary>
    /// Writes elements, continuing after the previous piece, until <see cref="RespWriter.BytesWritten"/> has reached
    /// <paramref name="end"/>; true when the reply is complete.
    /// </summary>
    protected abstract bool WritePiece(ref RespWriter reply, long end);
}
