// A large reply with members of a sorted set. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Sends the members of a range, ascending or descending, optionally with scores.</summary>
internal sealed class ScoredPieces(CollectionSnapshot snapshot, RankRange range, bool isReverse, bool withScores)
    : CollectionSnapshotReply(snapshot)
{
    private long _next = range.First;
    private long _left = range.Count;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => ScoredReply.WriteHeader(ref reply, range.Count, withScores);

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        foreach (ScoredMember member in Snapshot.Scored(_next, _left, isReverse))
        {
            ScoredReply.Write(ref reply, member, withScores);
            _next += isReverse ? -1 : 1;
            if (--_left > 0 && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
