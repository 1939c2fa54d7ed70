// IDistributedCache on a Garnet server. Thread-safe.
using System.Buffers;
using System.Text;
using Garnet.Caching.Backends;
using Microsoft.Extensions.Caching.Distributed;

namespace Garnet.Caching;

/// <summary>
/// Stores each entry as one string, with its sliding and absolute expiry in the record. A read is one command (GETEX SLIDING), which also
/// renews the sliding expiry; it writes nothing if the last renewal was less than 1/128 of the sliding time ago.
/// </summary>
public sealed class GarnetDistributedCache : IBufferDistributedCache, IDisposable
{
    private readonly ICacheBackend _backend;
    private readonly byte[] _prefix;
    private readonly TimeProvider _time;

    internal GarnetDistributedCache(ICacheBackend backend, string instanceName, TimeProvider time)
    {
        _backend = backend;
        _time = time;
        _prefix = Encoding.UTF8.GetBytes(instanceName);
    }

    /// <inheritdoc/>
    public byte[]? Get(string key) => _backend.Get(KeyOf(key));

    /// <inheritdoc/>
    public Task<byte[]?> GetAsync(string key, CancellationToken token = default) => _backend.GetAsync(KeyOf(key), token).AsTask();

    /// <inheritdoc/>
    public bool TryGet(string key, IBufferWriter<byte> destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return _backend.TryGet(KeyOf(key), destination);
    }

    /// <inheritdoc/>
    public ValueTask<bool> TryGetAsync(string key, IBufferWriter<byte> destination, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return _backend.TryGetAsync(KeyOf(key), destination, token);
    }

    /// <inheritdoc/>
    public void Set(string key, byte[] value, DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(value);
        _backend.Set(KeyOf(key), value, ExpiryOf(options));
    }

    /// <inheritdoc/>
    public Task SetAsync(string key, byte[] value, DistributedCacheEntryOptions options, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return _backend.SetAsync(KeyOf(key), value, ExpiryOf(options), token).AsTask();
    }

    /// <inheritdoc/>
    public void Set(string key, ReadOnlySequence<byte> value, DistributedCacheEntryOptions options) =>
        _backend.Set(KeyOf(key), Whole(value), ExpiryOf(options));

    /// <inheritdoc/>
    public ValueTask SetAsync(
        string key,
        ReadOnlySequence<byte> value,
        DistributedCacheEntryOptions options,
        CancellationToken token = default
    ) => _backend.SetAsync(KeyOf(key), Whole(value), ExpiryOf(options), token);

    /// <inheritdoc/>
    public void Refresh(string key) => _backend.Renew(KeyOf(key));

    /// <inheritdoc/>
    public Task RefreshAsync(string key, CancellationToken token = default) => _backend.RenewAsync(KeyOf(key), token).AsTask();

    /// <inheritdoc/>
    public void Remove(string key) => _backend.Remove(KeyOf(key));

    /// <inheritdoc/>
    public Task RemoveAsync(string key, CancellationToken token = default) => _backend.RemoveAsync(KeyOf(key), token).AsTask();

    /// <inheritdoc/>
    public void Dispose() => _backend.Dispose();

    private static ReadOnlyMemory<byte> Whole(in ReadOnlySequence<byte> value) => value.IsSingleSegment ? value.First : value.ToArray();

    private byte[] KeyOf(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        byte[] bytes = new byte[_prefix.Length + Encoding.UTF8.GetByteCount(key)];
        _prefix.CopyTo(bytes, 0);
        Encoding.UTF8.GetBytes(key, bytes.AsSpan(_prefix.Length));
        return bytes;
    }

    // A relative expiration takes precedence over an absolute one, as in other implementations.
    private CacheExpiry ExpiryOf(DistributedCacheEntryOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options is { AbsoluteExpirationRelativeToNow: null, AbsoluteExpiration: null })
            return new CacheExpiry(options.SlidingExpiration, null);
        DateTimeOffset now = _time.GetUtcNow();
        if (options.AbsoluteExpiration is { } moment && moment <= now)
        {
            throw new ArgumentOutOfRangeException(
                nameof(DistributedCacheEntryOptions.AbsoluteExpiration),
                moment,
                "The absolute expiration value must be in the future."
            );
        }

        DateTimeOffset at = options.AbsoluteExpirationRelativeToNow is { } after
            ? after < DateTimeOffset.MaxValue - now
                ? now + after
                : DateTimeOffset.MaxValue
            : options.AbsoluteExpiration!.Value;
        return new CacheExpiry(options.SlidingExpiration, at);
    }
}
