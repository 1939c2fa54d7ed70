// Gives blocks back to the store when a connection has sent them. Called on connections' threads.
using Garnet.Network.Features;
using Garnet.Store;

namespace Garnet.Hosting;

/// <summary>One for a server: the token of a send names the block.</summary>
internal sealed class BlockSendOwner(HybridLogStore store) : ISendOwner
{
    /// <inheritdoc/>
    public void Release(nint token) => ValueBlock.FromToken(store, token).Release();
}
