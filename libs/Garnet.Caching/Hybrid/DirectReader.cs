// Hits in the server of this process. Thread-safe.
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid.Serialization;
using Garnet.Caching.Links;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// Such a read takes less than sharing it would, so that each caller has its own. What it keeps in memory is served from there once no key
/// has been removed or set since before the read: a removal that came in between found no load of the key to end.
/// </summary>
internal sealed class DirectReader(
    ICacheLink link,
    EntryReader reader,
    EntryFactory factory,
    EntrySerializers serializers,
    LocalTable local,
    FlightTable flights,
    HybridCacheMetrics metrics
)
{
    /// <summary>Whether to look here first.</summary>
    public bool Serves(in EntrySettings settings) => settings.ReadsServer && link.Here is not null;

    /// <summary>The value of a usable key; nothing when it must be looked for with more effort, or loaded.</summary>
    public ValueTask<LoadResult<T>> FindAsync<T>(string key, in EntrySettings settings)
    {
        long ends = flights.Ends;
        ValueTask<StoredRead?> finding = reader.FindHereAsync(key, withTime: settings.WritesLocal);
        return finding.IsCompletedSuccessfully
            ? new(Result<T>(key, settings, finding.Result, ends))
            : WaitAsync<T>(key, settings, finding, ends);
    }

    private async ValueTask<LoadResult<T>> WaitAsync<T>(string key, EntrySettings settings, ValueTask<StoredRead?> finding, long ends) =>
        Result<T>(key, settings, await finding.ConfigureAwait(false), ends);

    private LoadResult<T> Result<T>(string key, in EntrySettings settings, StoredRead? read, long ends)
    {
        if (read is null)
            return default;
        EntrySerializer<T> serializer = serializers.For<T>();
        if (!settings.WritesLocal)
            return factory.TryRead(key, serializer, read.Entry!, out T value) ? Hit(new LoadResult<T>(true, value, null, false)) : default;
        if (factory.FromStored(new EntryTarget<T>(key, new Generation(), serializer, settings), read) is not { } result)
            return default;
        if (result is { IsKept: true, Entry: { } entry })
            Keep(entry, ends);
        return Hit(result);
    }

    // What is not found is counted by whoever looks further.
    private LoadResult<T> Hit<T>(in LoadResult<T> result)
    {
        metrics.LocalMiss();
        return result;
    }

    // A removal counts and then drops what is in the table; so it is either seen here, or it drops the entry.
    private void Keep(LocalEntry entry, long ends)
    {
        entry.IsUnsure = true;
        local.Keep(entry);
        Interlocked.MemoryBarrier();
        if (flights.Ends != ends)
            return;
        entry.IsUnsure = false;
        metrics.LocalWrite();
    }
}
