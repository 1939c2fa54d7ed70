// The loads in progress. Thread-safe.
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>At most one for each key and flags.</summary>
internal sealed class FlightTable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, List<Flight>> _flights = new(StringComparer.Ordinal);

    /// <summary>Joins the flight of a key, or begins one, which the caller must then run.</summary>
    public Flight Join<T>(string key, HybridCacheEntryFlags flags, out bool isNew)
    {
        lock (_gate)
        {
            if (!_flights.TryGetValue(key, out List<Flight>? flights))
                _flights.Add(key, flights = new List<Flight>(1));
            foreach (Flight flight in flights)
            {
                if (flight.Flags != flags || !flight.TryJoin())
                    continue;
                isNew = false;
                return flight;
            }

            FlightOf<T> begun = new(key, flags);
            begun.TryJoin();
            flights.Add(begun);
            isNew = true;
            return begun;
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

    /// <summary>Nothing that is being loaded for a key may be kept.</summary>
    public void End(string key)
    {
        lock (_gate)
        {
            foreach (Flight flight in _flights.GetValueOrDefault(key) ?? [])
                flight.Own.End();
        }
    }

    private void Drop(Flight flight)
    {
        if (_flights.TryGetValue(flight.Key, out List<Flight>? flights) && flights.Remove(flight) && flights.Count == 0)
            _flights.Remove(flight.Key);
    }
}
