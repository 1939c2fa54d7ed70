// Reads entries from the server and tells whether they are valid. Thread-safe.
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Hybrid;

/// <summary>An entry is valid while its tags have the tokens that it was stored with.</summary>
internal sealed class EntryReader(ICacheLink link, CacheNames names, TagReader tags, HybridCacheMetrics metrics, CacheLog log)
{
    /// <summary>Reads a key.</summary>
    public async ValueTask<StoredRead> ReadAsync(string key)
    {
        metrics.FetchBegins();
        try
        {
            return await CheckAsync(key, await link.ReadAsync(names.Entry(key)).ConfigureAwait(false)).ConfigureAwait(false);
        }
        finally
        {
            metrics.FetchEnds();
        }
    }

    /// <summary>Reads keys in one round trip.</summary>
    public async ValueTask<StoredRead[]> ReadManyAsync(IReadOnlyList<string> keys)
    {
        StoredBytes[] stored = await link.ReadManyAsync([.. keys.Select(key => (ReadOnlyMemory<byte>)names.Entry(key))])
            .ConfigureAwait(false);
        var read = new StoredRead[keys.Count];
        for (int i = 0; i < read.Length; i++)
            read[i] = await CheckAsync(keys[i], stored[i]).ConfigureAwait(false);
        return read;
    }

    /// <summary>Renews a sliding expiry; not awaited by readers, and the same connection orders it.</summary>
    public async Task RenewAsync(string key, long slidingMs, long staleMs, bool hasLimit)
    {
        try
        {
            await LoadScripts
                .Renew.CallAsync(
                    link,
                    [names.Entry(key), names.Limit(key)],
                    [CacheText.Number(slidingMs + staleMs), CacheText.Number(hasLimit ? 1 : 0)]
                )
                .ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e) || e is ObjectDisposedException)
        {
            log.ReadFailed(e);
        }
    }

    private async ValueTask<StoredRead> CheckAsync(string key, StoredBytes stored)
    {
        if (stored.Bytes is not { } bytes || StoredEntry.Read(bytes) is not { } entry)
        {
            if (stored.Bytes is not null)
                log.Rejected(key);
            return Nothing(stored);
        }

        if (await tags.MatchAsync(entry.Tags, entry.Tokens).ConfigureAwait(false) is not { } match)
            return Nothing(stored);

        // Without an expiry it is as long as a time can be; it was set there by hand.
        long left = stored.LeftMs == -1 ? long.MaxValue / 4 : stored.LeftMs;
        StoredRead read = new(entry.Nonce, entry, match.Generations, match.Session, left - entry.StaleMs);
        if (read.IsFresh)
            metrics.ServerHit();
        else
            metrics.ServerMiss();
        if (read.IsFresh && entry.SlidingMs > 0)
            _ = RenewAsync(key, entry.SlidingMs, entry.StaleMs, entry.HasLimit);
        return read;
    }

    private StoredRead Nothing(StoredBytes stored)
    {
        metrics.ServerMiss();
        return StoredRead.None with { Nonce = StoredEntry.NonceOf(stored.Bytes) };
    }
}
