// A large reply with elements of a list. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Protocol;
using Garnet.Store.Collections;

namespace Garnet.Commands.Lists;

/// <summary>Sends a number of elements from an index on.</summary>
internal sealed class ElementPieces(CollectionSnapshot snapshot, long first, long count) : CollectionSnapshotReply(snapshot)
{
    private long _next = first;
    private long _left = count;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => reply.WriteArray(checked((int)_left));

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        foreach (ReadOnlySpan<byte> element in Snapshot.Elements(_next, _left, isReverse: false))
        {
            reply.WriteBulk(element);
            _next++;
            if (--_left > 0 && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
