// Notifications about keys. Any thread.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Server.Configuration;
using Garnet.Server.Messaging;
using Garnet.Server.Modules;
using Garnet.Store;
using Garnet.Store.Changes;

namespace Garnet.Server.Notifications;

/// <summary>
/// Observes the store while the option selects anything. The changes that a command makes are gathered by its thread's
/// <see cref="CommandEvents"/>; keys that expire or are evicted besides are published at once.
/// </summary>
internal sealed class KeyNotifications : IKeyChangeObserver
{
    private const string Option = "notify-keyspace-events";
    private const KeyEventClasses Channels = KeyEventClasses.KeyspaceChannel | KeyEventClasses.KeyEventChannel;

    private readonly ServerConfiguration _configuration;
    private readonly HybridLogStore _store;
    private readonly ThreadScratchPool _threads;
    private bool _hasServerEvents;

    /// <summary>The notifications of a server.</summary>
    /// <param name="configuration">What is published.</param>
    /// <param name="store">Whose changes are observed.</param>
    /// <param name="threads">The threads whose commands gather events.</param>
    /// <param name="messages">Where events are published.</param>
    /// <param name="modules">Who is told besides.</param>
    public KeyNotifications(
        ServerConfiguration configuration,
        HybridLogStore store,
        ThreadScratchPool threads,
        MessageHub messages,
        ServerModules modules
    )
    {
        _configuration = configuration;
        _store = store;
        _threads = threads;
        Messages = messages;
        Modules = modules;
        FollowModules();
        configuration.OnChange(Option, Apply);
    }

    /// <summary>Where events are published.</summary>
    public MessageHub Messages { get; }

    /// <summary>Who is told of them besides.</summary>
    public ServerModules Modules { get; }

    /// <summary>Whether any event is published to any channel, or modules are told of any.</summary>
    public bool IsOn { get; private set; }

    /// <summary>What is published, and where.</summary>
    public KeyEventClasses Classes { get; private set; }

    /// <summary>What modules are told of; <see cref="KeyEventClasses.None"/> while no module asks for anything.</summary>
    public KeyEventClasses OfModules { get; private set; }

    /// <summary>Takes into account which modules are loaded. While no command runs, or before the first.</summary>
    public void FollowModules()
    {
        KeyEventClasses ofModules = KeyEventClasses.None;
        bool hasHandlers = false;
        foreach (LoadedModule module in Modules.All)
        {
            hasHandlers |= module.ServerEventHandlers.Length > 0;
            foreach (ModuleKeyEvents events in module.KeyEvents)
                ofModules |= events.Classes;
        }

        OfModules = ofModules;
        _hasServerEvents = hasHandlers;
        Apply(_configuration.Current);
    }

    /// <inheritdoc/>
    public void OnChange(in KeyChange change)
    {
        if (!IsOn)
            return;
        ThreadScratch thread = _threads.Current;
        if (thread.Events.IsOpen)
            thread.Events.OnChange(in change);
        else
            PublishNow(thread, in change);
    }

    /// <inheritdoc/>
    public void OnFlushed(int database)
    {
        // As in Valkey, the keys have no events of their own.
        if (_hasServerEvents)
            Modules.Raise(ModuleServerEvent.Flushed);
    }

    /// <inheritdoc/>
    public void OnSwapped(int first, int second)
    {
        // As in Valkey, the keys have no events of their own.
    }

    // Before the latch is released, so that it precedes what the next command says of the key. Delivery uses no latch.
    private void PublishNow(ThreadScratch thread, in KeyChange change)
    {
        KeyEvent? keyEvent = change.Kind switch
        {
            KeyChangeKind.Expired => KeyEvent.Expired,
            KeyChangeKind.Evicted => KeyEvent.Evicted,
            KeyChangeKind.FieldsExpired => KeyEvent.FieldsExpired,
            KeyChangeKind.LastFieldExpired => KeyEvent.Del,
            _ => null,
        };
        if (keyEvent is null)
            return;
        TellModules(keyEvent, change.Database, change.Key);
        if ((keyEvent.Class & Classes) == 0 || !Messages.HasSubscribers)
            return;
        Publish(thread, sender: null, keyEvent, change.Database, change.Key);
        PublishedLanes.OfThread.Of(thread).Announce();
    }

    private void Apply(GarnetOptions options)
    {
        KeyEventClassesText.TryParse(options.NotifyKeyspaceEvents, out KeyEventClasses classes);
        Classes = classes;
        IsOn = ((classes & Channels) != 0 && (classes & ~Channels) != 0) || OfModules != KeyEventClasses.None;
        _store.Conditions.Set((uint)ObserverMask.Notifications, IsOn);
        _store.Changes.Observe(this, IsOn || _hasServerEvents);
    }

    /// <summary>Publishes what the thread has gathered so far, as caused by the client of the command. Without latches.</summary>
    internal void PublishEvents(ref CommandContext context)
    {
        if (context.Scratch.Events.HasAny)
            PublishEvents(context.Client.Subscriber, context.Scratch);
    }

    /// <summary>Publishes and discards the events that a thread has gathered, as caused by a subscriber. Without latches.</summary>
    internal void PublishEvents(Subscriber? sender, ThreadScratch thread)
    {
        CommandEvents events = thread.Events;
        if (Messages.HasSubscribers)
        {
            for (int i = 0; i < events.Count; i++)
            {
                (KeyEvent keyEvent, int database) = events[i];
                if ((keyEvent.Class & Classes) != 0)
                    Publish(thread, sender, keyEvent, database, events.KeyOf(i));
            }
        }

        if (OfModules != KeyEventClasses.None)
        {
            for (int i = 0; i < events.Count; i++)
                TellModules(events[i].Event, events[i].Database, events.KeyOf(i));
        }

        events.Clear();
    }

    private void Publish(ThreadScratch thread, Subscriber? sender, KeyEvent keyEvent, int database, ReadOnlySpan<byte> key) =>
        ChannelName.OfThread.Of(thread).Publish(Messages, PublishedLanes.OfThread.Of(thread), sender, Classes, keyEvent, database, key);

    private void TellModules(KeyEvent keyEvent, int database, ReadOnlySpan<byte> key)
    {
        if ((keyEvent.Class & OfModules) == 0)
            return;
        foreach (LoadedModule module in Modules.All)
        {
            foreach (ModuleKeyEvents events in module.KeyEvents)
            {
                if ((keyEvent.Class & events.Classes) != 0)
                    events.Handler(database, keyEvent, key);
            }
        }
    }
}
