// The loads in progress. Thread-safe.
using System.Runtime.InteropServices;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>At most one for each key and flags.</summary>
internal sealed class FlightTable
{
    private readonly Lock _gate = new();

    // The first flight of each key; the others follow it.
    private readonly Dictionary<string, Flight> _flights = new(StringComparer.Ordinal);
    private long _ends;

    /// <summary>Joins the flight of a key, or begins one, which the caller must then run.</summary>
    public Flight Join<T>(string key, HybridCacheEntryFlags flags, out bool isNew)
    {
        lock (_gate)
        {
            ref Flight? first = ref CollectionsMarshal.GetValueRefOrAddDefault(_flights, key, out _);
            Flight? joined = first;
            while (joined is not null && joined.Flags != flags)
                joined = joined.Next;
            isNew = joined is null;
            joined ??= first = new FlightOf<T>(key, flags) { Next = first };
            joined.Join();
            return joined;
        }
    }

    /// <summary>A caller gives up; the load is called off if it was the last.</summary>
    public void Leave(Flight flight)
    {
        lock (_gate)
        {
            if (!flight.Leave())
                return;
            Drop(flight);
        }

        flight.CallOff();
    }

    /// <summary>A flight is over.</summary>
    public void Remove(Flight flight)
    {
        lock (_gate)
            Drop(flight);
    }

    /// <summary>How often <see cref="End"/> was called.</summary>
    public long Ends => Volatile.Read(ref _ends);

    /// <summary>Nothing that is being loaded for a key may be kept.</summary>
    public void End(string key)
    {
        Interlocked.Increment(ref _ends);
        lock (_gate)
        {
            for (Flight? flight = _flights.GetValueOrDefault(key); flight is not null; flight = flight.Next)
                flight.Own.End();
        }
    }

    // It may have been dropped before.
    private void Drop(Flight flight)
    {
        if (!_flights.TryGetValue(flight.Key, out Flight? other))
            return;
        if (other == flight)
        {
            if (flight.Next is { } next)
                _flights[flight.Key] = next;
            else
                _flights.Remove(flight.Key);
            return;
        }

        while (other is not null && other.Next != flight)
            other = other.Next;
        other?.Next = flight.Next;
    }
}
