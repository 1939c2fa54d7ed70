// IOutputCacheStore on a Garnet server. Thread-safe.
using System.Buffers;
using System.Globalization;
using System.Text;
using Garnet.Caching.Backends;
using Garnet.Client;
using Microsoft.AspNetCore.OutputCaching;

namespace Garnet.Caching;

/// <summary>
/// Stores each response as one string that expires, and for each tag a sorted set of the keys that carry it, scored by their times of
/// expiry; adding a key removes those that have expired. A response is stored before its key is added to its tags, and an eviction removes
/// the keys from the tag before it deletes the responses; in any other order, a concurrent write could leave a response that its tag does
/// not list.
/// </summary>
public sealed class GarnetOutputCacheStore : IOutputCacheBufferStore, IDisposable
{
    private readonly ICacheBackend _backend;
    private readonly byte[] _valuePrefix;
    private readonly byte[] _tagPrefix;
    private readonly TimeProvider _time;

    internal GarnetOutputCacheStore(ICacheBackend backend, string instanceName, TimeProvider time)
    {
        _backend = backend;
        _time = time;
        _valuePrefix = Encoding.UTF8.GetBytes(instanceName + "output:");
        _tagPrefix = Encoding.UTF8.GetBytes(instanceName + "output-tag:");
    }

    /// <inheritdoc/>
    public ValueTask<byte[]?> GetAsync(string key, CancellationToken cancellationToken) =>
        _backend.PeekAsync(KeyOf(_valuePrefix, key), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask<bool> TryGetAsync(string key, System.IO.Pipelines.PipeWriter destination, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return await _backend.TryPeekAsync(KeyOf(_valuePrefix, key), destination, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask SetAsync(string key, byte[] value, string[]? tags, TimeSpan validFor, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(value);
        return SetAsync(key, new ReadOnlySequence<byte>(value), tags, validFor, cancellationToken);
    }

    /// <inheritdoc/>
    public async ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        ReadOnlyMemory<string> tags,
        TimeSpan validFor,
        CancellationToken cancellationToken
    )
    {
        byte[] valueKey = KeyOf(_valuePrefix, key);
        DateTimeOffset now = _time.GetUtcNow();
        DateTimeOffset at = validFor < DateTimeOffset.MaxValue - now ? now + validFor : DateTimeOffset.MaxValue;
        await _backend
            .SetAsync(valueKey, value.IsSingleSegment ? value.First : value.ToArray(), new CacheExpiry(null, at), cancellationToken)
            .ConfigureAwait(false);
        for (int i = 0; i < tags.Length; i++)
            await AddToTagAsync(KeyOf(_tagPrefix, tags.Span[i]), valueKey, now, at, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask EvictByTagAsync(string tag, CancellationToken cancellationToken)
    {
        byte[] tagKey = KeyOf(_tagPrefix, tag);
        RespValue tagged = await _backend
            .ExecuteAsync("ZRANGE", [tagKey, "0"u8.ToArray(), "-1"u8.ToArray()], cancellationToken)
            .ConfigureAwait(false);
        ReadOnlyMemory<byte>[] keys = [.. tagged.Children.Select(static member => member.Bytes)];
        if (keys.Length == 0)
            return;
        await _backend.ExecuteAsync("ZREM", [tagKey, .. keys], cancellationToken).ConfigureAwait(false);
        await _backend.ExecuteAsync("UNLINK", keys, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => _backend.Dispose();

    // The tag lives as long as the last of its responses: NX for its first, GT for later ones.
    private async ValueTask AddToTagAsync(
        byte[] tagKey,
        byte[] valueKey,
        DateTimeOffset now,
        DateTimeOffset at,
        CancellationToken cancellationToken
    )
    {
        byte[] expiry = Text(at.ToUnixTimeMilliseconds());
        await _backend.ExecuteAsync("ZADD", [tagKey, expiry, valueKey], cancellationToken).ConfigureAwait(false);
        await _backend.ExecuteAsync("PEXPIREAT", [tagKey, expiry, "NX"u8.ToArray()], cancellationToken).ConfigureAwait(false);
        await _backend.ExecuteAsync("PEXPIREAT", [tagKey, expiry, "GT"u8.ToArray()], cancellationToken).ConfigureAwait(false);
        await _backend
            .ExecuteAsync("ZREMRANGEBYSCORE", [tagKey, "-inf"u8.ToArray(), Text(now.ToUnixTimeMilliseconds() - 1)], cancellationToken)
            .ConfigureAwait(false);
    }

    private static byte[] KeyOf(byte[] prefix, string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return [.. prefix, .. Encoding.UTF8.GetBytes(text)];
    }

    private static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
