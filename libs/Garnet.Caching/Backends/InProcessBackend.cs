// Caches in the server of this process: no socket, and no copy except the caller's. Thread-safe.
using System.Buffers;
using Garnet.Client;

namespace Garnet.Caching.Backends;

/// <summary>Each operation is one call.</summary>
internal sealed class InProcessBackend(IGarnet garnet) : ICacheBackend
{
    public byte[]? Get(ReadOnlyMemory<byte> key) => garnet.GetAndRenew(key.Span);

    public ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        garnet.GetAndRenewAsync(key, cancellationToken);

    public bool TryGet(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination) => garnet.TryGetAndRenew(key.Span, destination);

    public ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken) =>
        garnet.TryGetAndRenewAsync(key, destination, cancellationToken);

    public ValueTask<byte[]?> PeekAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        garnet.GetAsync(key, cancellationToken);

    public ValueTask<bool> TryPeekAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken) =>
        garnet.TryGetAsync(key, destination, cancellationToken);

    public void Set(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry) =>
        garnet.Set(key.Span, value.Span, Options(expiry));

    public async ValueTask SetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        CacheExpiry expiry,
        CancellationToken cancellationToken
    ) => await garnet.SetAsync(key, value, Options(expiry), cancellationToken).ConfigureAwait(false);

    public void Renew(ReadOnlyMemory<byte> key) => garnet.Renew(key.Span);

    public async ValueTask RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        await garnet.RenewAsync(key, cancellationToken).ConfigureAwait(false);

    public void Remove(ReadOnlyMemory<byte> key) => garnet.Delete(key.Span);

    public async ValueTask RemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        await garnet.DeleteAsync(key, cancellationToken).ConfigureAwait(false);

    public ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
        garnet.ExecuteAsync(command, arguments, cancellationToken);

    public void Dispose()
    {
        // Nothing to dispose: the host owns the server.
    }

    private static SetOptions Options(CacheExpiry expiry) => new() { Sliding = expiry.Sliding, ExpiresAt = expiry.At };
}
