// A large reply with the fields of a hash. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Sends all fields that had not expired when the command arrived, their values, or both as a map.</summary>
internal sealed class FieldPieces(CollectionSnapshot snapshot, long count, long nowMs, bool withFields, bool withValues)
    : CollectionSnapshotReply(snapshot)
{
    private long _next;
    private long _left = count;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply)
    {
        if (withFields && withValues)
            reply.WriteMap(checked((int)_left));
        else
            reply.WriteArray(checked((int)_left));
    }

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        HashEnumerator fields = Snapshot.Fields(_next, nowMs);
        while (_left > 0 && fields.MoveNext())
        {
            HashField field = fields.Current;
            if (withFields)
                reply.WriteBulk(field.Field);
            if (withValues)
                reply.WriteBulk(field.Value);
            if (--_left > 0 && reply.BytesWritten >= end)
            {
                _next = fields.Position + 1;
                return false;
            }
        }

        return true;
    }
}
