// Callback that gives a referenced block back after sending. Called on the owner thread of the connection.
namespace Garnet.Network.Features;

/// <summary>
/// Owner of memory lent to a connection for sending. One object serves any number of blocks, told apart by their token, so that lending
/// allocates nothing.
/// </summary>
public interface ISendOwner
{
    /// <summary>Called exactly once per lent block: its last byte is with the kernel, or the connection is gone.</summary>
    /// <param name="token">The token given with the block.</param>
    void Release(nint token);
}
