// Replies with large values. Stateless; on the connection's own thread.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Engine.Clients;

/// <summary>Sends values stored in their own blocks.</summary>
internal static class BlockReply
{
    /// <summary>
    /// Writes a large value as a bulk string: in place if the transport can, else by copying; a script, which has no connection, gets a
    /// copy. Takes over the reference. Safe while latches are held: a block being sent is shared, and a shared block is never changed.
    /// </summary>
    public static void Write(ref RespWriter reply, IClientConnection? connection, ValueBlock block)
    {
        if (reply.Suppressed)
        {
            block.Release();
            return;
        }

        reply.WriteBulkHeader(block.Length);
        reply.Flush();
        int length = block.Length;
        if (connection is not null && connection.TrySendInPlace(block))
        {
            reply.CountExternal(length);
        }
        else
        {
            reply.WriteRaw(block.Span);
            block.Release();
        }

        reply.WriteRaw("\r\n"u8);
    }
}
