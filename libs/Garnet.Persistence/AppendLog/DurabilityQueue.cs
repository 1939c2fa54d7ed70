// The connections waiting for the disk. Any thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>
/// Waiters with the positions they wait for; there are few at a time, as each is a connection whose replies are held back.
/// </summary>
internal sealed class DurabilityQueue
{
    private readonly Lock _gate = new();
    private List<(long Offset, IDurabilityWaiter Waiter)> _waiting = [];
    private List<(long Offset, IDurabilityWaiter Waiter)> _spare = [];

    /// <summary>Number of waiters.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _waiting.Count;
        }
    }

    /// <summary>Adds a waiter.</summary>
    public void Add(long offset, IDurabilityWaiter waiter)
    {
        lock (_gate)
            _waiting.Add((offset, waiter));
    }

    /// <summary>Removes a waiter; false when it has been notified, or is just being notified.</summary>
    public bool TryRemove(long offset, IDurabilityWaiter waiter)
    {
        lock (_gate)
            return _waiting.Remove((offset, waiter));
    }

    /// <summary>Notifies the waiters for this position or an earlier one.</summary>
    public void Complete(long offset)
    {
        List<(long Offset, IDurabilityWaiter Waiter)> told;
        lock (_gate)
        {
            if (_waiting.Count == 0)
                return;
            told = _waiting;
            _waiting = Interlocked.Exchange(ref _spare, null!) ?? [];
            foreach ((long wanted, IDurabilityWaiter waiter) in told)
            {
                if (wanted > offset)
                    _waiting.Add((wanted, waiter));
            }
        }

        foreach ((long wanted, IDurabilityWaiter waiter) in told)
        {
            if (wanted <= offset)
                waiter.OnDurable();
        }

        told.Clear();
        _spare = told;
    }

    /// <summary>Notifies every waiter.</summary>
    public void CompleteAll() => Complete(long.MaxValue);
}
