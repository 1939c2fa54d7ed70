// Who learns of changes: the log that receives their effects, and observers of keys. Set between commands, read under latches.
namespace Garnet.Store.Changes;

/// <summary>Costs one comparison a change while nobody listens.</summary>
internal sealed class ChangeFeed
{
    /// <summary>
    /// Receives the effects of writes; null (the default) costs nothing. Set it only before sessions run or inside
    /// <see cref="StoreSession.RunExclusive"/>.
    /// </summary>
    public IWriteSink? Sink { get; set; }

    /// <summary>Who observes the changes of keys, in the order in which they are told.</summary>
    public IKeyChangeObserver[] Observers { get; private set; } = [];

    /// <summary>Adds an observer of all changes, between commands; one that was added stays as long as the store.</summary>
    public void AddObserver(StoreSession caller, IKeyChangeObserver observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        caller.RunExclusive(() => Observers = [.. Observers, observer]);
    }
}
