// What a flight is to bring, and how. Immutable; any thread.
using Garnet.Caching.Hybrid.Serialization;

namespace Garnet.Caching.Hybrid;

/// <summary>The call that began a flight.</summary>
/// <param name="Flight">The flight.</param>
/// <param name="Serializer">For the values.</param>
/// <param name="State">For the loader.</param>
/// <param name="Loader">The application's; null to look only.</param>
/// <param name="Settings">The options.</param>
/// <param name="Tags">The tags of an entry that is loaded.</param>
internal sealed record LoadRequest<TState, T>(
    FlightOf<T> Flight,
    EntrySerializer<T> Serializer,
    TState State,
    EntryLoaderCall<TState, T>? Loader,
    EntrySettings Settings,
    string[] Tags
)
{
    /// <summary>The key.</summary>
    public string Key => Flight.Key;

    /// <summary>What an entry is made for.</summary>
    public EntryTarget<T> Target => new(Key, Flight.Own, Serializer, Settings);

    /// <summary>Calls the loader.</summary>
    public ValueTask<T> CallAsync(GarnetCacheEntryContext context) => Loader!(State, context, Flight.CalledOff);
}
