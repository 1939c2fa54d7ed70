// Who learns of changes: the log that receives their effects, and observers of keys. Set between commands, read under latches.
namespace Garnet.Store.Changes;

/// <summary>Costs one comparison per change while there is no observer.</summary>
internal sealed class ChangeFeed
{
    private readonly Lock _observing = new();
    private volatile IKeyChangeObserver[] _observers = [];

    /// <summary>
    /// Receives the effects of writes; null (the default) costs nothing. Set it only before sessions run or inside
    /// <see cref="StoreExclusion.RunExclusive"/>.
    /// </summary>
    public IWriteSink? Sink { get; set; }

    /// <summary>Who observes the changes of keys, in the order in which they are notified.</summary>
    public IKeyChangeObserver[] Observers => _observers;

    /// <summary>
    /// Begins or ends observing all changes; repeated calls change nothing. Commands that are running meanwhile may tell of some of their
    /// changes, or of none.
    /// </summary>
    public void Observe(IKeyChangeObserver observer, bool isOn)
    {
        ArgumentNullException.ThrowIfNull(observer);
        lock (_observing)
        {
            if (_observers.Contains(observer) != isOn)
                _observers = isOn ? [.. _observers, observer] : [.. _observers.Where(other => other != observer)];
        }
    }

    /// <summary>Tells observers what is no change of its own. Under the key's latch.</summary>
    public void Notify(in KeyChange change)
    {
        foreach (IKeyChangeObserver observer in _observers)
            observer.OnChange(in change);
    }
}
