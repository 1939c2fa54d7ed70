// A load in progress that callers of the same key share. Thread-safe.
using Garnet.Caching.Coherence;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>Is called off when the last caller has left it.</summary>
internal abstract class Flight(string key, HybridCacheEntryFlags flags)
{
    private readonly CancellationTokenSource _calledOff = new();
    private int _callers;

    /// <summary>The key.</summary>
    public string Key => key;

    /// <summary>Only calls with the same flags share a flight.</summary>
    public HybridCacheEntryFlags Flags => flags;

    /// <summary>Ends when the key is removed or set: what is loaded is not kept, and those who join later do not take it.</summary>
    public Generation Own { get; } = new();

    /// <summary>Cancelled when no caller is left.</summary>
    public CancellationToken CalledOff => _calledOff.Token;

    /// <summary>Completes, never with an exception, when the flight is over.</summary>
    public abstract Task Over { get; }

    /// <summary>Adds a caller; false when the last one has already left. Under the table's lock.</summary>
    public bool TryJoin()
    {
        if (_calledOff.IsCancellationRequested)
            return false;
        _callers++;
        return true;
    }

    /// <summary>A caller leaves before the end. Under the table's lock; the result says whether it was the last.</summary>
    public bool Leave() => --_callers == 0;

    /// <summary>Cancels the load.</summary>
    public void CallOff() => _calledOff.Cancel();
}
