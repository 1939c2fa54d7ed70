// Reads, sets and removes several entries together. Thread-safe.
using System.Diagnostics;
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid.Serialization;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid;

/// <summary>One round trip for each call, and what the other instances need to follow.</summary>
internal sealed class EntryBatches(CacheParts parts, CoherentTags coherence)
{
    // Of no call that loads, so that none joins.
    private const HybridCacheEntryFlags BatchFlags = (HybridCacheEntryFlags)(1 << 30);

    /// <summary>The values under keys, in their order.</summary>
    public async ValueTask<GarnetCacheResult<T>[]> ReadAsync<T>(
        IReadOnlyList<string> keys,
        EntrySettings settings,
        CancellationToken cancellationToken
    )
    {
        cancellationToken.ThrowIfCancellationRequested();
        await coherence.Membership.Began.WaitAsync(cancellationToken).ConfigureAwait(false);
        var results = new GarnetCacheResult<T>[keys.Count];
        List<int> missing = [];
        for (int i = 0; i < results.Length; i++)
        {
            ArgumentNullException.ThrowIfNull(keys[i], nameof(keys));
            if (TryFind(keys[i], settings, out T value))
                results[i] = new GarnetCacheResult<T>(true, value);
            else if (settings.ReadsServer && KeyRules.IsUsable(keys[i], parts.Options.MaximumKeyLength))
                missing.Add(i);
        }

        if (missing.Count != 0)
            await ReadMissingAsync(keys, missing, results, settings, cancellationToken).ConfigureAwait(false);
        return results;
    }

    /// <summary>Sets values; those that are too large are removed instead.</summary>
    public async ValueTask SetAsync<T>(
        IReadOnlyList<KeyValuePair<string, T>> values,
        EntrySettings settings,
        string[] tags,
        CancellationToken cancellationToken
    )
    {
        using Activity? activity = HybridCacheMetrics.Activities.StartActivity("HybridCache.Set");
        EntrySerializer<T> serializer = parts.Serializers.For<T>();
        TagSnapshot before = await coherence.Tags.ReadAsync(tags).AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        List<string> removed = [];
        List<EntryWrite> set = [];
        foreach ((string key, T value) in Last(values))
        {
            ReadOnlyMemory<byte> payload = value is null ? default : serializer.Write(value);
            if (!parts.Factory.Fits(key, payload) || settings.IsUncached)
                removed.Add(key);
            else if (settings.WritesServer)
                set.Add(EntryFactory.Encode(key, value is null, settings, tags, before.Tokens, payload.Span));
            else
                KeepLocally(key, value, payload, before, settings, serializer);
        }

        if (removed.Count + set.Count == 0)
            return;
        await coherence.Changes.ChangeAsync([], [.. removed], [.. set], cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < set.Count; i++)
            parts.Metrics.ServerWrite();
    }

    /// <summary>Removes keys.</summary>
    public async ValueTask RemoveAsync(IEnumerable<string> keys, CancellationToken cancellationToken)
    {
        using Activity? activity = HybridCacheMetrics.Activities.StartActivity("HybridCache.Remove");
        string[] usable = [.. keys.Distinct(StringComparer.Ordinal).Where(key => KeyRules.IsUsable(key, parts.Options.MaximumKeyLength))];
        if (usable.Length != 0)
            await coherence.Changes.ChangeAsync([], usable, [], cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Removes entries by their tags.</summary>
    public async ValueTask RemoveByTagAsync(IEnumerable<string> tags, CancellationToken cancellationToken)
    {
        using Activity? activity = HybridCacheMetrics.Activities.StartActivity("HybridCache.RemoveByTag");
        string[] distinct = [.. tags.Distinct(StringComparer.Ordinal)];
        foreach (string tag in distinct)
            KeyRules.Check(tag);
        if (distinct.Length == 0)
            return;
        await coherence.Changes.ChangeAsync(distinct, [], [], cancellationToken).ConfigureAwait(false);
        parts.Metrics.TagInvalidated(distinct.Length);
    }

    private bool TryFind<T>(string key, in EntrySettings settings, out T value)
    {
        value = default!;
        if (!settings.ReadsLocal || parts.Local.Find(key) is not LocalEntryOf<T> entry)
            return false;
        long now = parts.Time.GetTimestamp();
        if (now >= entry.FreshUntil || !entry.IsValid(now))
            return false;
        parts.Metrics.LocalHit();
        value = entry.Value;
        return true;
    }

    // Each read is a flight, so that a removal meanwhile is noticed.
    private async Task ReadMissingAsync<T>(
        IReadOnlyList<string> keys,
        List<int> missing,
        GarnetCacheResult<T>[] results,
        EntrySettings settings,
        CancellationToken cancellationToken
    )
    {
        EntrySerializer<T> serializer = parts.Serializers.For<T>();
        var flights = new (Flight Flight, bool IsMine)[missing.Count];
        for (int i = 0; i < flights.Length; i++)
            flights[i] = (parts.Flights.Join<T>(keys[missing[i]], BatchFlags, out bool isNew), isNew);
        try
        {
            Task<StoredRead[]> reading = parts.Reader.ReadManyAsync([.. missing.Select(index => keys[index])]).AsTask();
            StoredRead[] read = await reading.WaitAsync(cancellationToken).ConfigureAwait(false);
            for (int i = 0; i < read.Length; i++)
            {
                if (!read[i].IsFresh)
                    continue;
                FlightOf<T> flight = flights[i].IsMine ? (FlightOf<T>)flights[i].Flight : new FlightOf<T>(keys[missing[i]], BatchFlags);
                LoadRequest<object?, T> request = new(flight, serializer, null, null, settings, []);
                if (parts.Factory.FromStored(request.Target, read[i]) is not { } result)
                    continue;
                results[missing[i]] = new GarnetCacheResult<T>(true, result.Value);
                if (flights[i].IsMine && result.IsKept)
                    parts.Local.Keep(result.Entry!);
            }
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            parts.Log.ReadFailed(e);
        }
        finally
        {
            foreach ((Flight flight, bool isMine) in flights)
            {
                if (isMine)
                    parts.Flights.Remove(flight);
                else
                    parts.Flights.Leave(flight);
            }
        }
    }

    private void KeepLocally<T>(
        string key,
        T value,
        ReadOnlyMemory<byte> payload,
        TagSnapshot before,
        in EntrySettings settings,
        EntrySerializer<T> serializer
    )
    {
        LoadRequest<object?, T> request = new(new FlightOf<T>(key, settings.Flags), serializer, null, null, settings, []);
        parts.Flights.End(key);
        if (parts.Factory.FromLoader(request, value, payload, before, settings) is { IsKept: true, Entry: { } entry })
            parts.Local.Keep(entry);
    }

    // Of a key that is there twice the last value counts.
    private Dictionary<string, T> Last<T>(IReadOnlyList<KeyValuePair<string, T>> values)
    {
        Dictionary<string, T> last = new(values.Count, StringComparer.Ordinal);
        foreach ((string key, T value) in values)
        {
            if (KeyRules.IsUsable(key, parts.Options.MaximumKeyLength))
                last[key] = value;
            else
                parts.Log.BadKey();
        }

        return last;
    }
}
