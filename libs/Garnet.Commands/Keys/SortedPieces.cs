// A large reply of SORT. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Engine.Clients;
using Garnet.Protocol;

namespace Garnet.Commands.Keys;

/// <summary>Sends texts in their order, with nulls where a GET found nothing.</summary>
internal sealed class SortedPieces(IClientConnection connection, SortedItems items) : PiecewiseReply(items)
{
    private int _next;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => reply.WriteArray(items.Count);

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        while (_next < items.Count)
        {
            items.Write(_next++, ref reply, connection);
            if (_next < items.Count && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
