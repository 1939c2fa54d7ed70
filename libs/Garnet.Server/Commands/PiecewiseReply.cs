// A reply too large to be made in one go: written piece by piece from a picture of the collection. Belongs to the connection's thread.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands;

/// <summary>Each piece is made when the network has taken the one before it; the collection may change meanwhile, the reply shows it as it was.</summary>
internal abstract class PiecewiseReply(CollectionPicture picture) : PendingReply
{
    private const long PieceBytes = 256 * 1024;

    private bool isBegun;
    private bool isComplete;

    /// <inheritdoc/>
    public sealed override bool HasMore => !isComplete;

    /// <summary>What the reply is made from.</summary>
    protected CollectionPicture Picture => picture;

    /// <inheritdoc/>
    public sealed override Task WaitAsync(CancellationToken connectionClosed) => Task.CompletedTask;

    /// <inheritdoc/>
    public sealed override Task AbandonAsync()
    {
        picture.Dispose();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public sealed override void WriteReply(ref RespWriter reply)
    {
        long end = reply.BytesWritten + PieceBytes;
        if (!isBegun)
            WriteHeader(ref reply);
        isBegun = true;
        isComplete = WritePiece(ref reply, end);
        if (isComplete)
            picture.Dispose();
    }

    /// <summary>Writes what stands before the elements.</summary>
    protected abstract void WriteHeader(ref RespWriter reply);

    /// <summary>Writes elements, going on where the piece before ended, until <see cref="RespWriter.BytesWritten"/> has come to a number; true when the reply is complete.</summary>
    protected abstract bool WritePiece(ref RespWriter reply, long end);
}
