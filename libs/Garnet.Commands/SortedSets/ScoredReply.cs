// Replies with members, optionally with scores. Stateless.
using Garnet.Protocol;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>With scores, RESP3 has an array of pairs, RESP2 a flat array.</summary>
internal static class ScoredReply
{
    /// <summary>Writes the header of the array.</summary>
    public static void WriteHeader(ref RespWriter reply, long members, bool withScores) =>
        reply.WriteArray(checked((int)(withScores && reply.ProtocolVersion < 3 ? members * 2 : members)));

    /// <summary>Writes a member.</summary>
    public static void Write(ref RespWriter reply, ScoredMember member, bool withScores) =>
        Write(ref reply, member.Member, member.Score, withScores);

    /// <summary>Writes a member and its score.</summary>
    public static void Write(ref RespWriter reply, ReadOnlySpan<byte> member, double score, bool withScores)
    {
        if (withScores && reply.ProtocolVersion >= 3)
            reply.WriteArray(2);
        reply.WriteBulk(member);
        if (withScores)
            reply.WriteDouble(score);
    }
}
