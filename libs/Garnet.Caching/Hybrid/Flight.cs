// A load in progress that callers of the same key share. Thread-safe.
using Garnet.Caching.Coherence;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// Is called off when the last caller has left it. Most flights read the server and neither load nor are called off, and make do without
/// what that takes.
/// </summary>
internal abstract class Flight(string key, HybridCacheEntryFlags flags)
{
    private CancellationTokenSource? _calledOff;
    private int _callers;

    /// <summary>The key.</summary>
    public string Key => key;

    /// <summary>Only calls with the same flags share a flight.</summary>
    public HybridCacheEntryFlags Flags => flags;

    /// <summary>Ends when the key is removed or set: what is loaded is not kept, and those who join later do not take it.</summary>
    public Generation Own { get; } = new();

    /// <summary>Cancelled when no caller is left.</summary>
    public CancellationToken CalledOff => Source.Token;

    /// <summary>Completes, never with an exception, when the flight is over.</summary>
    public abstract Task Over { get; }

    /// <summary>Another flight of the same key, with other flags. The table's own.</summary>
    public Flight? Next { get; set; }

    private CancellationTokenSource Source => LazyInitializer.EnsureInitialized(ref _calledOff, static () => new CancellationTokenSource());

    /// <summary>Adds a caller. Under the table's lock.</summary>
    public void Join() => _callers++;

    /// <summary>A caller leaves before the end. Under the table's lock; the result says whether it was the last.</summary>
    public bool Leave() => --_callers == 0;

    /// <summary>Cancels the load.</summary>
    public void CallOff() => Source.Cancel();
}
