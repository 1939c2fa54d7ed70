// Callback that releases a referenced block after sending. Called on the owner thread of the connection.
namespace Garnet.Network.Features;

/// <summary>
/// Owner of memory lent to a connection for sending. One object can serve any number of blocks, identified by their tokens, so that lending
/// allocates nothing.
/// </summary>
internal interface ISendOwner
{
    /// <summary>Called exactly once per lent block: the kernel has accepted its last byte, or the connection is gone.</summary>
    /// <param name="token">The token passed with the block.</param>
    void Release(nint token);
}
