// A large reply with members of a sorted set. Belongs to the connection's thread.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>The members of a range, upwards or downwards, perhaps with their scores.</summary>
internal sealed class ScoredPieces(CollectionPicture picture, RankRange range, bool isReverse, bool withScores) : PictureReply(picture)
{
    private long next = range.First;
    private long left = range.Count;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => ScoredReply.WriteHeader(ref reply, range.Count, withScores);

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        foreach (ScoredMember member in Picture.Scored(next, left, isReverse))
        {
            ScoredReply.Write(ref reply, member, withScores);
            next += isReverse ? -1 : 1;
            if (--left > 0 && reply.BytesWritten >= end)
                return false;
        }

        return true;
    }
}
