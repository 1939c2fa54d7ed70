// Gathers the events of commands.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Notifications;

/// <summary>Opens the thread's events for each command, and publishes them when its keys are released.</summary>
internal sealed class EventObserver(KeyNotifications notifications) : CommandObserver(ObserverMask.Notifications)
{
    /// <inheritdoc/>
    public override void Before(ref CommandContext context)
    {
        if (HasEvents(ref context))
            context.Scratch.Events.Open(context.Command.Descriptor.Event);
    }

    /// <inheritdoc/>
    public override void After(ref CommandContext context)
    {
        if (HasEvents(ref context))
            context.Scratch.Events.Close();
    }

    /// <inheritdoc/>
    public override void Released(ref CommandContext context)
    {
        if (HasEvents(ref context))
            notifications.PublishEvents(ref context);
    }

    /// <inheritdoc/>
    public override void Resumed(ref CommandContext context, bool isSearch)
    {
        CommandEvents events = context.Scratch.Events;
        if (!events.HasAny)
            return;
        if (isSearch)
            events.DiscardMisses();
        notifications.PublishEvents(sender: null, context.Scratch);
    }

    // What a log repeats was told when it happened.
    private static bool HasEvents(ref CommandContext context) => context.Origin != Origin.Loader;
}
