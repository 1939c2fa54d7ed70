// A large reply with the members of a set. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Sends all members.</summary>
internal sealed class MemberPieces(CollectionSnapshot snapshot, long count) : CollectionSnapshotReply(snapshot)
{
    private long _next;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => reply.WriteSet(checked((int)count));

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        SetEnumerator members = Snapshot.Members(_next);
        while (members.MoveNext())
        {
            reply.WriteBulk(members.Current);
            if (++_next < count && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
