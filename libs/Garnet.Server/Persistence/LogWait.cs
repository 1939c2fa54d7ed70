// The reply of WAITAOF. Stateless.
using Garnet.Protocol;

namespace Garnet.Server.Persistence;

/// <summary>Says who has the client's writes in a log.</summary>
internal static class LogWait
{
    /// <summary>Replies with the number of local logs and of replicas that have the writes.</summary>
    public static void Write(ref RespWriter reply, bool isLocal, int replicas)
    {
        reply.WriteArray(2);
        reply.WriteInteger(isLocal ? 1 : 0);
        reply.WriteInteger(replicas);
    }
}
