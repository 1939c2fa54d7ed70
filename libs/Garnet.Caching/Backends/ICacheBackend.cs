// The operations that caches need of a server, in this process or remote. Implementations are thread-safe.
using System.Buffers;
using Garnet.Client;

namespace Garnet.Caching.Backends;

/// <summary>Each method is one command; error replies are thrown as exceptions.</summary>
internal interface ICacheBackend : IDisposable
{
    /// <summary>The string under a key, or null; renews a sliding expiry.</summary>
    byte[]? Get(ReadOnlyMemory<byte> key);

    /// <inheritdoc cref="Get"/>
    ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    /// <summary>As <see cref="Get"/>, into a writer; false when there is no such key.</summary>
    bool TryGet(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination);

    /// <inheritdoc cref="TryGet"/>
    ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken);

    /// <summary>The string under a key, or null; does not renew its expiry.</summary>
    ValueTask<byte[]?> PeekAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    /// <summary>As <see cref="PeekAsync"/>, into a writer; false when there is no such key.</summary>
    ValueTask<bool> TryPeekAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken);

    /// <summary>Sets a key.</summary>
    void Set(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry);

    /// <inheritdoc cref="Set"/>
    ValueTask SetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry, CancellationToken cancellationToken);

    /// <summary>Renews a sliding expiry.</summary>
    void Renew(ReadOnlyMemory<byte> key);

    /// <inheritdoc cref="Renew"/>
    ValueTask RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    /// <summary>Removes a key.</summary>
    void Remove(ReadOnlyMemory<byte> key);

    /// <inheritdoc cref="Remove"/>
    ValueTask RemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    /// <summary>Calls any command.</summary>
    ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken);
}
