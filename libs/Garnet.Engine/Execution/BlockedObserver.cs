// Serves clients that wait for what a command has brought. Stateless.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>When a command has released its keys, the thread serves those who wait for them before it goes on.</summary>
internal sealed class BlockedObserver(BlockedClients blocked) : CommandObserver(ObserverMask.Blocked)
{
    /// <inheritdoc/>
    public override void Released(ref CommandContext context)
    {
        if (blocked.HasReady && !context.Store.Barrier.IsGuest)
            blocked.ServeReady(context.Store);
    }
}
