// The form of an application's loader.
namespace Garnet.Caching.Hybrid;

/// <summary>Calls an application's loader.</summary>
internal delegate ValueTask<T> EntryLoaderCall<TState, T>(
    TState state,
    GarnetCacheEntryContext context,
    CancellationToken cancellationToken
);
