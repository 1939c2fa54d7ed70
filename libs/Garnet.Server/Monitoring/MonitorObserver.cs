// Shows commands to monitors. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Monitoring;

/// <summary>Shows each command when it has run; a blocked one then, and not again when it is served.</summary>
internal sealed class MonitorObserver(MonitorFeed monitors) : CommandObserver(ObserverMask.Monitors)
{
    /// <inheritdoc/>
    public override void After(ref CommandContext context)
    {
        if (context.Resumed is null && !context.HasReleased)
            monitors.Show(ref context);
    }

    /// <inheritdoc/>
    public override void PutOff(ref CommandContext context) => context.Client.Wait.IsShown = context.Command.FlagsOfCall is not null;

    /// <inheritdoc/>
    public override void Aborted(ref CommandContext context) => monitors.Show(ref context);
}
