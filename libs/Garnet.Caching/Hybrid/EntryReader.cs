// Reads entries from the server and tells whether they are valid. Thread-safe.
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;

namespace Garnet.Caching.Hybrid;

/// <summary>An entry is valid while its tags have the tokens that it was stored with.</summary>
internal sealed class EntryReader(ICacheLink link, CacheNames names, TagReader tags, HybridCacheMetrics metrics, CacheLog log)
{
    /// <summary>
    /// A fresh entry in the server of this process, without what waiting takes; null when there is none, or none that this alone can tell.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="withTime">As for <see cref="ReadAsync"/>.</param>
    public ValueTask<StoredRead?> FindHereAsync(string key, bool withTime)
    {
        ValueTask<StoredBytes> reading = link.ReadAsync(names.Entry(key), withTime);
        return reading.IsCompletedSuccessfully ? new(Find(key, reading.Result, withTime)) : WaitAsync(key, reading, withTime);
    }

    /// <summary>Reads a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="withTime">Whether it matters how long the entry lives: it is to be kept, or may be served after its expiry.</param>
    public async ValueTask<StoredRead> ReadAsync(string key, bool withTime)
    {
        metrics.FetchBegins();
        try
        {
            StoredBytes stored = await link.ReadAsync(names.Entry(key), withTime).ConfigureAwait(false);
            // Only its time tells whether it has expired, and the caller did not know.
            if (!withTime && stored.Bytes is { } bytes && StoredEntry.Read(bytes) is { StaleMs: > 0 })
                stored = await link.ReadAsync(names.Entry(key), withTime: true).ConfigureAwait(false);
            return await CheckAsync(key, stored).ConfigureAwait(false);
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

    private async ValueTask<StoredRead?> WaitAsync(string key, ValueTask<StoredBytes> reading, bool withTime)
    {
        try
        {
            return Find(key, await reading.ConfigureAwait(false), withTime);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            // Whoever reads the key next, and asks for more than what is here, finds out and says so.
            return null;
        }
    }

    private StoredRead? Find(string key, in StoredBytes stored, bool withTime)
    {
        if (stored.Bytes is not { } bytes || StoredEntry.Read(bytes) is not { } entry)
            return null;
        if ((!withTime && entry.StaleMs > 0) || tags.Match(entry.Tags, entry.Tokens) is not { } match)
            return null;
        StoredRead read = Read(entry, match, stored.LeftMs);
        return read.IsFresh ? Hit(key, read, entry) : null;
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

        StoredRead read = Read(entry, match, stored.LeftMs);
        if (read.IsFresh)
            return Hit(key, read, entry);
        metrics.ServerMiss();
        return read;
    }

    // Without an expiry it is as long as a time can be; it was set there by hand.
    private static StoredRead Read(StoredEntry entry, in TagSnapshot match, long leftMs) =>
        new(entry.Nonce, entry, match.Generations, match.Session, (leftMs == -1 ? long.MaxValue / 4 : leftMs) - entry.StaleMs);

    private StoredRead Hit(string key, StoredRead read, StoredEntry entry)
    {
        metrics.ServerHit();
        if (entry.SlidingMs > 0)
            _ = RenewAsync(key, entry.SlidingMs, entry.StaleMs, entry.HasLimit);
        return read;
    }

    private StoredRead Nothing(StoredBytes stored)
    {
        metrics.ServerMiss();
        return StoredRead.None with { Nonce = StoredEntry.NonceOf(stored.Bytes) };
    }
}
