// A reply too large to be made in one go: written piece by piece from what a command has set aside. Belongs to the connection's thread.
using Garnet.Protocol;

namespace Garnet.Server.CommandModel;

/// <summary>
/// Each piece is made when the network has taken the one before it; the data may change meanwhile, the reply shows it as it was.
/// </summary>
/// <param name="source">What the reply is made from; disposed with its last piece.</param>
internal abstract class PiecewiseReply(IDisposable source) : PendingReply
{
    private const long PieceBytes = 256 * 1024;

    private bool _isBegun;
    private bool _isComplete;

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

    /// <summary>Writes what stands before the elements.</summary>
    protected abstract void WriteHeader(ref RespWriter reply);

    /// <summary>
    /// Writes elements, going on where the piece before ended, until <see cref="RespWriter.BytesWritten"/> has come to a number; true when
    /// the reply is complete.
    /// </summary>
    protected abstract bool WritePiece(ref RespWriter reply, long end);
}
