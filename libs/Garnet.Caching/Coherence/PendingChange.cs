// A change whose acknowledgements are awaited. Thread-safe.
namespace Garnet.Caching.Coherence;

/// <summary>Acknowledgements may come before the list of those from whom they are expected.</summary>
internal sealed class PendingChange
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _acknowledged = new(StringComparer.Ordinal);
    private readonly TaskCompletionSource _complete = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private HashSet<string>? _missing;

    /// <summary>Completes when all have acknowledged.</summary>
    public Task Complete => _complete.Task;

    /// <summary>Those who have not acknowledged.</summary>
    public string[] Missing
    {
        get
        {
            lock (_gate)
                return [.. _missing ?? []];
        }
    }

    /// <summary>A member has applied the change.</summary>
    public void Acknowledge(string member)
    {
        lock (_gate)
        {
            _acknowledged.Add(member);
            if (_missing is not null && _missing.Remove(member) && _missing.Count == 0)
                _complete.TrySetResult();
        }
    }

    /// <summary>Says who the members are.</summary>
    public void Expect(IEnumerable<string> members)
    {
        lock (_gate)
        {
            _missing = [.. members.Where(member => !_acknowledged.Contains(member))];
            if (_missing.Count == 0)
                _complete.TrySetResult();
        }
    }
}
