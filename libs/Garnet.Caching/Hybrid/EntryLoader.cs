// Brings the value of a key from the server or its loader. Thread-safe.
using Garnet.Caching.Coherence;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// What a flight does. Of all instances one at a time has the lease of a key and calls its loader; the others wait for its result, or take
/// the expired value if they said so. Without a server each calls its own loader, and nothing is kept.
/// </summary>
/// <remarks>The server's failures are caught where the server is called, so that a loader's own are never taken for them.</remarks>
internal sealed class EntryLoader(
    EntryReader reader,
    LoadLeases leases,
    TagReader tags,
    EntryFactory entries,
    HybridCacheMetrics metrics,
    CacheLog log
)
{
    /// <summary>The value of a request's key.</summary>
    public async ValueTask<LoadResult<T>> LoadAsync<TState, T>(LoadRequest<TState, T> request)
    {
        EntrySettings settings = request.Settings;
        StoredRead? read = settings.ReadsServer
            ? await TryReadAsync(request.Key, settings.WritesLocal || settings.StaleMs > 0).ConfigureAwait(false)
            : StoredRead.None;
        if (read is { IsFresh: true } && entries.FromStored(request.Target, read) is { } found)
            return found;
        if (request.Loader is null || !settings.Loads)
            return default;
        if (read is null)
            return await LoadAloneAsync(request).ConfigureAwait(false);
        if (!settings.WritesServer || settings.IsUncached)
            return await LoadLocallyAsync(request).ConfigureAwait(false);
        return await LoadForAllAsync(request, read).ConfigureAwait(false);
    }

    private async Task<LoadResult<T>> LoadForAllAsync<TState, T>(LoadRequest<TState, T> request, StoredRead read)
    {
        while (true)
        {
            bool takesStale = request.Settings.StaleMs > 0 && read.Entry is not null;
            LoadTurn? turn = await TryTakeAsync(request, read, waits: !takesStale).ConfigureAwait(false);
            if (turn is null)
                return await LoadAloneAsync(request).ConfigureAwait(false);
            if (turn.Value.Lease is { } lease)
                return await LoadUnderAsync(request, lease).ConfigureAwait(false);
            if (turn.Value.IsBusy && takesStale && entries.FromStored(request.Target, read) is { } stale)
                return stale;
            if (await TryReadAsync(request.Key, withTime: true).ConfigureAwait(false) is not { } again)
                return await LoadAloneAsync(request).ConfigureAwait(false);
            if (request.Settings.ReadsServer && again.IsFresh && entries.FromStored(request.Target, again) is { } loaded)
                return loaded;
            read = again;
        }
    }

    // The tokens are read before the loader runs: a tag that is removed meanwhile makes the entry invalid.
    private async Task<LoadResult<T>> LoadUnderAsync<TState, T>(LoadRequest<TState, T> request, LoadLease lease)
    {
        TagSnapshot? before = null;
        EntrySettings decided = request.Settings;
        EntryWrite? write = null;
        ReadOnlyMemory<byte>? payload = null;
        T value;
        try
        {
            before = await TryReadTagsAsync(request.Tags).ConfigureAwait(false);
            GarnetCacheEntryContext context = request.Settings.Context(request.Key);
            value = await request.CallAsync(context).ConfigureAwait(false);
            decided = request.Settings.With(context);
            payload = entries.Write(request.Key, request.Serializer, value);
            if (before is { } known && payload is { } bytes && !decided.IsUncached)
                write = EntryFactory.Encode(request.Key, value is null, decided, request.Tags, known.Tokens, bytes.Span);
        }
        finally
        {
            // With nothing to store the lease is given back all the same, and the next one loads.
            if (write is null)
                await TryReleaseAsync(lease, null).ConfigureAwait(false);
        }

        bool isStored = write is not null && await TryReleaseAsync(lease, write).ConfigureAwait(false);
        if (isStored)
            metrics.ServerWrite();
        return entries.FromLoader(request, value, payload, isStored ? before : null, decided);
    }

    // For a value that others are not to have, or that is not cached at all.
    private async Task<LoadResult<T>> LoadLocallyAsync<TState, T>(LoadRequest<TState, T> request)
    {
        TagSnapshot? before = await TryReadTagsAsync(request.Tags).ConfigureAwait(false);
        GarnetCacheEntryContext context = request.Settings.Context(request.Key);
        T value = await request.CallAsync(context).ConfigureAwait(false);
        EntrySettings decided = request.Settings.With(context);
        return entries.FromLoader(
            request,
            value,
            entries.Write(request.Key, request.Serializer, value),
            decided.IsUncached ? null : before,
            decided
        );
    }

    private async Task<LoadResult<T>> LoadAloneAsync<TState, T>(LoadRequest<TState, T> request)
    {
        T value = await request.CallAsync(request.Settings.Context(request.Key)).ConfigureAwait(false);
        return entries.FromLoader(request, value, entries.Write(request.Key, request.Serializer, value), null, request.Settings);
    }

    private async ValueTask<StoredRead?> TryReadAsync(string key, bool withTime)
    {
        try
        {
            return await reader.ReadAsync(key, withTime).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            log.ReadFailed(e);
            return null;
        }
    }

    private async ValueTask<TagSnapshot?> TryReadTagsAsync(string[] names)
    {
        try
        {
            return await tags.ReadAsync(names).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            log.ReadFailed(e);
            return null;
        }
    }

    private async ValueTask<LoadTurn?> TryTakeAsync<TState, T>(LoadRequest<TState, T> request, StoredRead read, bool waits)
    {
        try
        {
            return await leases.TakeAsync(request.Key, read.Nonce, waits, request.Flight.CalledOff).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            log.ReadFailed(e);
            return null;
        }
    }

    private async ValueTask<bool> TryReleaseAsync(LoadLease lease, EntryWrite? write)
    {
        try
        {
            return await lease.ReleaseAsync(write).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            // The lease runs out by itself; and a cache that is disposed meanwhile does not cost its callers their values.
            log.WriteFailed(e);
            return false;
        }
    }
}
