// Replies with members and perhaps their scores. Stateless.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>With scores RESP3 has pairs in an array, RESP2 one flat array.</summary>
internal static class ScoredReply
{
    /// <summary>Writes the head of the array.</summary>
    public static void WriteHeader(ref RespWriter reply, long members, bool withScores) =>
        reply.WriteArray(checked((int)(withScores && reply.ProtocolVersion < 3 ? members * 2 : members)));

    /// <summary>Writes a member.</summary>
    public static void Write(ref RespWriter reply, ScoredMember member, bool withScores)
    {
        if (withScores && reply.ProtocolVersion >= 3)
            reply.WriteArray(2);
        reply.WriteBulk(member.Member);
        if (withScores)
            reply.WriteDouble(member.Score);
    }
}
