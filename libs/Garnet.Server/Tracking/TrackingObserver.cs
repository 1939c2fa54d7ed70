// Lets the table of tracked keys learn of reads. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Tracking;

/// <summary>Enters the keys that a command reads before it runs.</summary>
internal sealed class TrackingObserver() : CommandObserver(ObserverMask.Tracking)
{
    /// <inheritdoc/>
    public override void Before(ref CommandContext context) => context.Client.Tracking?.BeforeCommand(ref context);

    /// <inheritdoc/>
    public override void Refused(ref CommandContext context, Command? command) => context.Client.Tracking?.OnRejected(command);

    /// <inheritdoc/>
    public override void PutOff(ref CommandContext context) => context.Client.Tracking?.OnPutOff();

    /// <inheritdoc/>
    public override ClientSession? Enter(ThreadScratch thread, ClientSession client) => Invalidations.OfThread.Of(thread).Open(client);

    /// <inheritdoc/>
    public override void Leave(ThreadScratch thread, ClientSession? outer) => Invalidations.OfThread.Of(thread).Close(outer);
}
