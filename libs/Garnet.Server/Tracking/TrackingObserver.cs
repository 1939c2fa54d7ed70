// Lets the table of tracked keys learn of reads. Stateless.
using Garnet.Server.CommandModel;
using Garnet.Server.Execution;

namespace Garnet.Server.Tracking;

/// <summary>Enters the keys that a command reads before it runs.</summary>
internal sealed class TrackingObserver() : CommandObserver(ObserverMask.Tracking)
{
    /// <inheritdoc/>
    public override void Before(ref CommandContext context) => context.Client.Tracking?.BeforeCommand(ref context);
}
