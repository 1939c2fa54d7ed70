// A large reply of SORT. Belongs to the connection's thread.
using Garnet.Protocol;

namespace Garnet.Server.Commands.Keys;

/// <summary>Texts in their order, with nulls where a GET has found nothing.</summary>
internal sealed class SortedPieces(TextArena texts, TextSlice[] items) : PiecewiseReply(texts)
{
    private int next;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => reply.WriteArray(items.Length);

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        while (next < items.Length)
        {
            TextSlice item = items[next++];
            if (item.IsNone)
                reply.WriteNull();
            else
                reply.WriteBulk(texts[item]);
            if (next < items.Length && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
