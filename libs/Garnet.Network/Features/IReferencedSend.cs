// Feature: sending memory in place. Used by a connection's session, one call at a time.
using System.IO.Pipelines;

namespace Garnet.Network.Features;

/// <summary>Sends memory without copying it, in order with the bytes written to the connection's <see cref="PipeWriter"/>.</summary>
internal interface IReferencedSend
{
    /// <summary>
    /// Queues a block after everything written so far; it is sent with the next flush. The memory must stay unchanged until released. On a
    /// closed connection the block is released at the next flush or at disposal.
    /// </summary>
    /// <param name="block">First byte.</param>
    /// <param name="length">Bytes; from 0 to 2 GiB - 1.</param>
    /// <param name="owner">Notified once when the memory is no longer needed.</param>
    /// <param name="token">Passed back to the owner.</param>
    void SendReferenced(nint block, long length, ISendOwner owner, nint token);
}
