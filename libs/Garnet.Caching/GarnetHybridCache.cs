// HybridCache on a Garnet, Valkey or Redis server. Thread-safe.
using System.Diagnostics;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid;
using Garnet.Caching.Hybrid.Serialization;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching;

/// <summary>
/// A cache of two levels: the memory of each instance, and a server that all share. When a removal or a set has returned, no call that
/// starts afterwards, on any instance, returns an older value of what it concerns. A key that is missing is loaded by one caller for all
/// instances.
/// </summary>
/// <remarks>
/// A call without a server loads its value itself, and keeps nothing; removals and sets throw then. A loader's token is cancelled when all
/// callers who wait for it have given up; its exception goes to all who wait on its instance, and the next call loads again.
/// </remarks>
public sealed class GarnetHybridCache : HybridCache, IAsyncDisposable, IDisposable
{
    private readonly CacheParts _parts;
    private readonly EntrySettings _defaults;
    private readonly LocalTable _local;
    private readonly FlightTable _flights;

    internal GarnetHybridCache(CacheParts parts)
    {
        _parts = parts;
        _defaults = parts.Defaults;
        _local = parts.Local;
        _flights = parts.Flights;
    }

    /// <summary>For tests.</summary>
    internal CacheParts Parts => _parts;

    /// <summary>The options that were registered under a name.</summary>
    /// <exception cref="KeyNotFoundException">There are none.</exception>
    public GarnetCacheEntryOptions Policy(string name) =>
        _parts.Options.Policies.TryGetValue(name, out GarnetCacheEntryOptions? policy)
            ? policy
            : throw new KeyNotFoundException($"The cache has no policy '{name}'; add it to {nameof(GarnetHybridCacheOptions.Policies)}.");

    /// <inheritdoc/>
    public override ValueTask<T> GetOrCreateAsync<TState, T>(
        string key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(factory);
        EntrySettings settings = options is null ? _defaults : EntrySettings.Of(options, _defaults);
        return TryGetLocal(key, settings, cancellationToken, out T value)
            ? new ValueTask<T>(value)
            : ValueOf(
                RunAsync(
                    key,
                    (state, factory),
                    static (call, _, token) => call.factory(call.state, token),
                    settings,
                    tags,
                    cancellationToken
                )
            );
    }

    /// <inheritdoc/>
    public override ValueTask<T> GetOrCreateAsync<TState, T>(
        ReadOnlySpan<char> key,
        TState state,
        Func<TState, CancellationToken, ValueTask<T>> factory,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    )
    {
        EntrySettings settings = options is null ? _defaults : EntrySettings.Of(options, _defaults);
        return
            settings.ReadsLocal
            && !cancellationToken.IsCancellationRequested
            && _local.Find(key) is LocalEntryOf<T> entry
            && TryServe(entry, out T value)
            ? new ValueTask<T>(value)
            : GetOrCreateAsync(key.ToString(), state, factory, options, tags, cancellationToken);
    }

    /// <summary>As the methods of <see cref="HybridCache"/>, with our options, and a loader that can decide about the expiry.</summary>
    public ValueTask<T> GetOrCreateAsync<T>(
        string key,
        Func<GarnetCacheEntryContext, CancellationToken, ValueTask<T>> factory,
        GarnetCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(factory);
        EntrySettings settings = options is null ? _defaults : EntrySettings.Of(options, _defaults);
        return TryGetLocal(key, settings, cancellationToken, out T value)
            ? new ValueTask<T>(value)
            : ValueOf(RunAsync(key, factory, static (call, context, token) => call(context, token), settings, tags, cancellationToken));
    }

    /// <summary>The value under a key, if there is one; nothing is loaded.</summary>
    public async ValueTask<GarnetCacheResult<T>> TryGetAsync<T>(
        string key,
        GarnetCacheEntryOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(key);
        EntrySettings settings = options is null ? _defaults : EntrySettings.Of(options, _defaults);
        if (TryGetLocal(key, settings, cancellationToken, out T value))
            return new GarnetCacheResult<T>(true, value);
        settings = settings with { Flags = settings.Flags | HybridCacheEntryFlags.DisableUnderlyingData };
        LoadResult<T> result = await RunAsync<object?, T>(key, null, null, settings, null, cancellationToken).ConfigureAwait(false);
        return new GarnetCacheResult<T>(result.Found, result.Value);
    }

    /// <summary>The values under keys, in their order; those that are not in memory are read from the server in one round trip.</summary>
    public ValueTask<GarnetCacheResult<T>[]> TryGetManyAsync<T>(
        IReadOnlyList<string> keys,
        GarnetCacheEntryOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(keys);
        return _parts.Batches.ReadAsync<T>(keys, options is null ? _defaults : EntrySettings.Of(options, _defaults), cancellationToken);
    }

    /// <inheritdoc/>
    /// <exception cref="Garnet.Client.RespConnectionException">The server could not be reached, or it is not known what it did.</exception>
    public override ValueTask SetAsync<T>(
        string key,
        T value,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    ) =>
        SetManyAsync(
            [KeyValuePair.Create(key, value)],
            options is null ? _defaults : EntrySettings.Of(options, _defaults),
            tags,
            cancellationToken
        );

    /// <inheritdoc cref="SetAsync{T}(string, T, HybridCacheEntryOptions?, IEnumerable{string}?, CancellationToken)"/>
    public ValueTask SetAsync<T>(
        string key,
        T value,
        GarnetCacheEntryOptions options,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        return SetManyAsync([KeyValuePair.Create(key, value)], EntrySettings.Of(options, _defaults), tags, cancellationToken);
    }

    /// <summary>Sets values, all together and in one round trip.</summary>
    public ValueTask SetManyAsync<T>(
        IReadOnlyList<KeyValuePair<string, T>> values,
        GarnetCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default
    ) => SetManyAsync(values, options is null ? _defaults : EntrySettings.Of(options, _defaults), tags, cancellationToken);

    /// <inheritdoc/>
    public override ValueTask RemoveAsync(string key, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(key);
        return RemoveAsync([key], cancellationToken);
    }

    /// <inheritdoc/>
    public override ValueTask RemoveAsync(IEnumerable<string> keys, CancellationToken cancellationToken = default) =>
        _parts.Batches.RemoveAsync(keys ?? [], cancellationToken);

    /// <inheritdoc/>
    public override ValueTask RemoveByTagAsync(string tag, CancellationToken cancellationToken = default) =>
        RemoveByTagAsync([tag], cancellationToken);

    /// <inheritdoc/>
    /// <remarks>Entries that have any of the tags; <c>*</c> stands for all entries.</remarks>
    public override ValueTask RemoveByTagAsync(IEnumerable<string> tags, CancellationToken cancellationToken = default) =>
        _parts.Batches.RemoveByTagAsync(tags ?? [], cancellationToken);

    /// <inheritdoc/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _parts.DisposeAsync();

    private static ValueTask<T> ValueOf<T>(ValueTask<LoadResult<T>> run)
    {
        return run.IsCompletedSuccessfully ? new ValueTask<T>(run.Result.Value!) : WaitAsync(run);

        static async ValueTask<T> WaitAsync(ValueTask<LoadResult<T>> run) => (await run.ConfigureAwait(false)).Value!;
    }

    private ValueTask SetManyAsync<T>(
        IReadOnlyList<KeyValuePair<string, T>> values,
        in EntrySettings settings,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(values);
        foreach ((string key, T _) in values)
            ArgumentNullException.ThrowIfNull(key);
        return _parts.Batches.SetAsync(values, settings, KeyRules.TagsOf(tags), cancellationToken);
    }

    private bool TryGetLocal<T>(string key, in EntrySettings settings, CancellationToken cancellationToken, out T value)
    {
        if (settings.ReadsLocal && !cancellationToken.IsCancellationRequested && _local.Find(key) is LocalEntryOf<T> entry)
            return TryServe(entry, out value);
        value = default!;
        return false;
    }

    private bool TryServe<T>(LocalEntryOf<T> entry, out T value)
    {
        long now = _parts.Time.GetTimestamp();
        if (now >= entry.FreshUntil || !entry.IsValid(now))
        {
            value = default!;
            return false;
        }

        if (entry.ClaimsRenewal(now))
            _ = _parts.Reader.RenewAsync(entry.Key, entry.SlidingMs, entry.StaleMs, entry.HasLimit);
        _parts.Metrics.LocalHit();
        value = entry.Value;
        return true;
    }

    private ValueTask<LoadResult<T>> RunAsync<TState, T>(
        string key,
        TState state,
        EntryLoaderCall<TState, T>? loader,
        in EntrySettings settings,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken
    )
    {
        bool isDirect = !cancellationToken.IsCancellationRequested && _parts.Direct.Serves(settings);
        ValueTask<LoadResult<T>> finding =
            isDirect && KeyRules.IsUsable(key, _parts.Options.MaximumKeyLength) ? _parts.Direct.FindAsync<T>(key, settings) : default;
        if (!finding.IsCompletedSuccessfully)
            return FindOrJoinAsync(finding, key, state, loader, settings, tags, cancellationToken);
        LoadResult<T> found = finding.Result;
        return found.Found ? new(found) : JoinAsync(key, state, loader, settings, tags, cancellationToken);
    }

    private async ValueTask<LoadResult<T>> FindOrJoinAsync<TState, T>(
        ValueTask<LoadResult<T>> finding,
        string key,
        TState state,
        EntryLoaderCall<TState, T>? loader,
        EntrySettings settings,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken
    )
    {
        LoadResult<T> found = await finding.AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        return found.Found ? found : await JoinAsync(key, state, loader, settings, tags, cancellationToken).ConfigureAwait(false);
    }

    // A caller that joined a flight which began before it checks the result once more: what it concerns may have been removed before the
    // call. The second flight, if it comes to that, began after it.
    private async ValueTask<LoadResult<T>> JoinAsync<TState, T>(
        string key,
        TState state,
        EntryLoaderCall<TState, T>? loader,
        EntrySettings settings,
        IEnumerable<string>? tags,
        CancellationToken cancellationToken
    )
    {
        cancellationToken.ThrowIfCancellationRequested();
        string[] entryTags = KeyRules.TagsOf(tags);
        if (!KeyRules.IsUsable(key, _parts.Options.MaximumKeyLength))
            return await BypassAsync(key, state, loader, settings, cancellationToken).ConfigureAwait(false);
        // Before a flight begins, which nothing would end if there were none for the type.
        EntrySerializer<T> serializer = _parts.Serializers.For<T>();
        using Activity? activity = HybridCacheMetrics.Activities.StartActivity("HybridCache.GetOrCreate");
        _parts.Metrics.LocalMiss();
        await _parts.Membership.Began.WaitAsync(cancellationToken).ConfigureAwait(false);
        for (bool isSecond = false; ; isSecond = true)
        {
            Flight flight = _flights.Join<T>(key, settings.Flags, out bool isNew);
            if (flight is not FlightOf<T> mine)
            {
                // Somebody loads the key as another type.
                await WaitAsync(flight, flight.Over, cancellationToken).ConfigureAwait(false);
                continue;
            }

            if (!isNew && settings.StaleMs > 0 && TryGetStale(key, out LoadResult<T> stale))
                return LeaveWith(flight, stale);
            // Whoever began it goes on where it ends, and the others from there by way of the thread pool.
            Task over = isNew ? FlyAsync(new LoadRequest<TState, T>(mine, serializer, state, loader, settings, entryTags)) : mine.Result;
            await WaitAsync(flight, over, cancellationToken).ConfigureAwait(false);
            LoadResult<T> result = await mine.Result.ConfigureAwait(false);
            if (isNew || (isSecond && !result.Found))
                return result;
            if (result.Entry is { } entry && (isSecond || entry.IsValid(_parts.Time.GetTimestamp())))
                return result with { Value = entry.Value };
        }
    }

    private async Task FlyAsync<TState, T>(LoadRequest<TState, T> request)
    {
        FlightOf<T> flight = request.Flight;
        try
        {
            LoadResult<T> result = await _parts.Loader.LoadAsync(request).ConfigureAwait(false);
            if (result is { IsKept: true, Entry: { } entry })
            {
                _local.Keep(entry);
                _parts.Metrics.LocalWrite();
            }

            _flights.Remove(flight);
            flight.Complete(result);
        }
        catch (Exception e)
        {
            // For those who wait, whatever it is.
            _flights.Remove(flight);
            flight.Fail(e);
        }
    }

    private async Task WaitAsync(Flight flight, Task over, CancellationToken cancellationToken)
    {
        try
        {
            await over.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            _flights.Leave(flight);
            throw;
        }
    }

    private LoadResult<T> LeaveWith<T>(Flight flight, in LoadResult<T> result)
    {
        _flights.Leave(flight);
        return result;
    }

    private bool TryGetStale<T>(string key, out LoadResult<T> stale)
    {
        long now = _parts.Time.GetTimestamp();
        stale = default;
        if (_local.Find(key) is not LocalEntryOf<T> entry || now >= entry.StaleUntil || !entry.IsValid(now))
            return false;
        stale = new LoadResult<T>(true, entry.Value, null, false);
        return true;
    }

    private async Task<LoadResult<T>> BypassAsync<TState, T>(
        string key,
        TState state,
        EntryLoaderCall<TState, T>? loader,
        EntrySettings settings,
        CancellationToken cancellationToken
    )
    {
        _parts.Log.BadKey();
        if (loader is null || !settings.Loads)
            return default;
        return new LoadResult<T>(true, await loader(state, settings.Context(key), cancellationToken).ConfigureAwait(false), null, false);
    }
}
