// Makes entries of the process out of what was read or loaded. Thread-safe.
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid.Serialization;

namespace Garnet.Caching.Hybrid;

/// <summary>Times are timestamps of the monotonic clock, counted from the moment before the entry was read or loaded.</summary>
internal sealed class EntryFactory(long maxPayloadBytes, CacheLog log, TimeProvider time)
{
    private const long MaxMs = 10L * 365 * 24 * 60 * 60 * 1000;
    private const int RenewalsPerSliding = 64;

    /// <summary>An entry to be stored.</summary>
    public static EntryWrite Encode(
        string key,
        bool isNull,
        in EntrySettings settings,
        string[] tags,
        Guid[] tokens,
        ReadOnlySpan<byte> payload
    ) => new(key, StoredEntry.Encode(isNull, settings, tags, tokens, payload), settings.FreshMs + settings.StaleMs, settings.LimitMs);

    /// <summary>The bytes of a value; null if it cannot be serialized, or is too large to be cached. A null has no bytes.</summary>
    public ReadOnlyMemory<byte>? Write<T>(string key, EntrySerializer<T> serializer, T value)
    {
        if (value is null)
            return ReadOnlyMemory<byte>.Empty;
        ReadOnlyMemory<byte> payload;
        try
        {
            payload = serializer.Write(value);
        }
        catch (Exception e)
        {
            // Whatever an application's serializer throws: the caller has the value, which was not to be lost over caching it.
            log.NotSerialized(e);
            return null;
        }

        return Fits(key, payload) ? payload : default(ReadOnlyMemory<byte>?);
    }

    /// <summary>Whether a value is small enough to be cached.</summary>
    public bool Fits(string key, ReadOnlyMemory<byte> payload)
    {
        if (payload.Length <= maxPayloadBytes)
            return true;
        log.TooLarge(key, payload.Length);
        return false;
    }

    /// <summary>The result of a flight that has read an entry; null when it cannot be deserialized.</summary>
    public LoadResult<T>? FromStored<T>(in EntryTarget<T> target, StoredRead read)
    {
        StoredEntry stored = read.Entry!;
        if (!TryRead(target.Key, target.Serializer, stored, out T value))
            return null;
        LocalEntryOf<T> entry = Create(
            target,
            value,
            stored.IsNull || target.Serializer.IsImmutable ? default(ReadOnlyMemory<byte>?) : stored.Payload,
            new TagSnapshot([], read.Tags, read.Session),
            Math.Max(0, read.FreshMs),
            stored
        );
        return new LoadResult<T>(true, value, entry, read.IsFresh && read.Session is not null && target.Settings.WritesLocal);
    }

    /// <summary>The value of an entry that was read; false when it cannot be deserialized.</summary>
    public bool TryRead<T>(string key, EntrySerializer<T> serializer, StoredEntry stored, out T value)
    {
        try
        {
            value = stored.IsNull ? default! : serializer.Read(stored.Payload);
            return true;
        }
        catch (Exception e)
        {
            // Whatever a serializer throws at bytes of another one, or of another version of the type.
            log.NotDeserialized(key, e);
            value = default!;
            return false;
        }
    }

    /// <summary>The result of a flight whose loader was called.</summary>
    /// <param name="request">The request.</param>
    /// <param name="value">What was loaded.</param>
    /// <param name="payload">Its bytes; null when there are none, and others cannot share it unless it is immutable.</param>
    /// <param name="before">The tags before it was loaded; null when the entry must not be kept.</param>
    /// <param name="settings">As the loader has decided.</param>
    public LoadResult<T> FromLoader<TState, T>(
        LoadRequest<TState, T> request,
        T value,
        ReadOnlyMemory<byte>? payload,
        TagSnapshot? before,
        in EntrySettings settings
    )
    {
        if (payload is null && !request.Serializer.IsImmutable)
            return new LoadResult<T>(true, value, null, false);
        var stored = new StoredEntry(default, value is null, settings.LimitMs > 0, settings.StaleMs, settings.SlidingMs, [], [], default);
        LocalEntryOf<T> entry = Create(
            request.Target,
            value,
            value is null || request.Serializer.IsImmutable ? default(ReadOnlyMemory<byte>?) : payload,
            before ?? default,
            settings.FreshMs,
            stored
        );
        bool isKept = payload is not null && before?.Session is not null && settings.WritesLocal;
        return new LoadResult<T>(true, value, entry, isKept);
    }

    private LocalEntryOf<T> Create<T>(
        in EntryTarget<T> target,
        T value,
        ReadOnlyMemory<byte>? payload,
        TagSnapshot tags,
        long freshMs,
        StoredEntry stored
    )
    {
        long now = time.GetTimestamp();
        long fresh = Math.Min(freshMs, target.Settings.LocalMs ?? long.MaxValue);
        var entry = new LocalEntryOf<T>(value, payload, target.Serializer)
        {
            Key = target.Key,
            Session = tags.Session,
            Own = target.Own,
            Tags = tags.Generations ?? [],
            FreshUntil = now + Ticks(fresh),
            StaleUntil = now + Ticks(freshMs) + Ticks(stored.StaleMs),
            RenewTicks = Ticks(stored.SlidingMs) / RenewalsPerSliding,
            SlidingMs = stored.SlidingMs,
            StaleMs = stored.StaleMs,
            HasLimit = stored.HasLimit,
            PayloadBytes = payload?.Length ?? Size(value, stored),
        };
        entry.Renewed(now);
        return entry;
    }

    // What an immutable value takes is about as much as its bytes.
    private static int Size<T>(T value, StoredEntry stored) =>
        value is string text ? 2 * text.Length : Math.Max(stored.Payload.Length, System.Runtime.CompilerServices.Unsafe.SizeOf<T>());

    private long Ticks(long ms) => (long)(Math.Min(ms, MaxMs) * (time.TimestampFrequency / 1000.0));
}
