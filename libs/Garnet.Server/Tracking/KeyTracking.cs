// CLIENT TRACKING: notifies clients that keys they may have cached have changed. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Server.Configuration;
using Garnet.Store;
using Garnet.Store.Changes;

namespace Garnet.Server.Tracking;

/// <summary>
/// Observes the store while a client is connected that has ever turned tracking on; until then nothing is observed and no memory used.
/// The observer is notified under the key's latch, and takes a lock of the table for a moment there; nothing is sent to other threads
/// before the batch is over, and by then the change can be read.
/// </summary>
internal sealed class KeyTracking(
    HybridLogStore store,
    ClientRegistry registry,
    ThreadScratchPool threads,
    ServerConfiguration configuration
) : IKeyChangeObserver
{
    // Keys removed at once when the table has become too large.
    private const int MaxRemovedAtOnce = 100;

    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<uint, ClientSession> _clients = new();
    private readonly HybridLogStore _store = store;
    private volatile TrackingTable? _table;
    private volatile bool _isOn;
    private uint _lastNumber;
    private int _trackingClients;

    /// <summary>Whether changes are observed.</summary>
    public bool IsOn => _isOn;

    /// <summary>Clients with tracking on.</summary>
    public int ClientCount => Volatile.Read(ref _trackingClients);

    /// <summary>Keys in the table.</summary>
    public long Keys => _table?.Keys ?? 0;

    /// <summary>Clients in the table, counted once for each key.</summary>
    public long Items => _table?.Items ?? 0;

    /// <summary>Bytes of the table, which are part of the store's memory.</summary>
    public long TableBytes => _table?.Bytes ?? 0;

    /// <summary>All clients.</summary>
    public ClientRegistry Clients => registry;

    /// <summary>The prefixes of clients that are notified of all keys.</summary>
    public PrefixTable Prefixes { get; } = new();

    /// <summary>Turns a client's tracking on, or changes its options. On its thread.</summary>
    public void TurnOn(ClientSession client, TrackingModes modes, long redirect, ReadOnlySpan<byte[]> prefixes)
    {
        ClientTracking tracking = client.Tracking ?? Register(client);
        if (!tracking.IsOn)
            Interlocked.Increment(ref _trackingClients);
        tracking.TurnOn(modes, redirect, prefixes);
    }

    /// <summary>Turns a client's tracking off. On its thread.</summary>
    public void TurnOff(ClientSession client)
    {
        if (client.Tracking is not { IsOn: true } tracking)
            return;
        tracking.TurnOff();
        Interlocked.Decrement(ref _trackingClients);
    }

    /// <summary>The client has disconnected. Its number stays in the table until the keys change, unless it was the last client.</summary>
    public void Remove(ClientSession client)
    {
        if (client.Tracking is not { } tracking)
            return;
        TurnOff(client);
        lock (_gate)
        {
            _clients.TryRemove(tracking.Number, out _);
            if (!_clients.IsEmpty)
                return;
            _isOn = false;
            _store.Conditions.Set((uint)ObserverMask.Tracking, areRaised: false);
            _store.Changes.Observe(this, isOn: false);
            _table!.Clear();
        }
    }

    /// <summary>Enters a key that a client reads.</summary>
    public void Enter(ClientSession client, uint number, ulong hash, ReadOnlySpan<byte> key)
    {
        TrackingTable table = _table!;
        if (!table.TryAdd(hash, key, number))
            Invalidations.OfThread.Of(threads.Current).Add(client, InvalidationMessage.OfKey(key));
        long most = configuration.Current.TrackingTableMaxKeys;
        if (table.Keys > most && most > 0)
            RemoveSome(table, most);
    }

    /// <summary>Keeps the table within its bound after that has been lowered. Run by the clock.</summary>
    public void Tidy()
    {
        long most = configuration.Current.TrackingTableMaxKeys;
        while (most > 0 && _table is { } table && table.Keys > most)
            RemoveSome(table, most);
    }

    /// <inheritdoc/>
    public void OnChange(in KeyChange change)
    {
        // The changes that Valkey counts for WATCH are those it tells of.
        if (!change.Kind.FailsWatch())
            return;
        Invalidations pending = Invalidations.OfThread.Of(threads.Current);
        pending.Add(Prefixes, change.Key);
        TrackingTable table = _table!;
        if (table.Keys == 0)
            return;
        int count = table.Remove(_store.Databases.Map.KeyHash.Compute(change.Key), change.Key, ref pending.Clients);
        if (count > 0)
            Notify(pending, change.Key, count);
    }

    /// <inheritdoc/>
    public void OnFlushed(int database)
    {
        // Everything happens when it is over, once.
    }

    /// <inheritdoc/>
    public void OnEmptied()
    {
        _table!.Clear();
        Invalidations pending = Invalidations.OfThread.Of(threads.Current);
        foreach ((_, ClientSession client) in _clients)
        {
            if (client.Tracking is { IsOn: true })
                pending.Add(client, InvalidationMessage.Flushed(client.ProtocolVersion));
        }
    }

    /// <inheritdoc/>
    /// <remarks>Valkey tells nothing here, so that its clients go on with values of the other database.</remarks>
    public void OnSwapped(int first, int second) => OnEmptied();

    private ClientTracking Register(ClientSession client)
    {
        lock (_gate)
        {
            do
            {
                _lastNumber++;
            } while (!_clients.TryAdd(_lastNumber, client));

            _table ??= new TrackingTable(_store);
            _store.Changes.Observe(this, isOn: true);
            _store.Conditions.Set((uint)ObserverMask.Tracking, areRaised: true);
            _isOn = true;
            return client.Tracking = new ClientTracking(client, _lastNumber, this);
        }
    }

    // What is not tracked any more counts as changed.
    private void RemoveSome(TrackingTable table, long most)
    {
        Invalidations pending = Invalidations.OfThread.Of(threads.Current);
        for (int i = 0; i < MaxRemovedAtOnce && table.Keys > most; i++)
        {
            if (table.RemoveAny(ref pending.Clients, out int count) is { } key)
                Notify(pending, key, count);
        }
    }

    private void Notify(Invalidations pending, ReadOnlySpan<byte> key, int count)
    {
        byte[]? message = null;
        foreach (uint number in pending.Clients.AsSpan(0, count))
        {
            if (!_clients.TryGetValue(number, out ClientSession? client) || client.Tracking is not { TracksReads: true } tracking)
                continue;
            if ((tracking.Modes & TrackingModes.NoLoop) == 0 || client != pending.Caller)
                pending.Add(client, message ??= InvalidationMessage.OfKey(key));
        }
    }
}
