// Returns a part of the stream of effects when a connection has sent it. Called on connections' threads.
using Garnet.Network.Features;
using Garnet.Store.Memory;

namespace Garnet.Hosting;

/// <summary>One for each loan.</summary>
internal sealed class LoanSendOwner(ILentBytes loan) : ISendOwner
{
    /// <inheritdoc/>
    public void Release(nint token) => loan.Return();
}
