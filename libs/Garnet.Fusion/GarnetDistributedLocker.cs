// FusionCache's locks on a Garnet, Valkey or Redis server. Thread-safe.
using Garnet.Caching;
using Microsoft.Extensions.Logging;
using ZiggyCreatures.Caching.Fusion.Locking.Distributed;

namespace Garnet.Fusion;

/// <summary>One factory of a key runs at a time, over all instances: FusionCache's locker by means of <see cref="IGarnetLocks"/>.</summary>
public sealed class GarnetDistributedLocker : IFusionCacheDistributedLocker
{
    private readonly IGarnetLocks _locks;

    /// <summary>Uses locks that the application has registered, and owns.</summary>
    public GarnetDistributedLocker(IGarnetLocks locks)
    {
        ArgumentNullException.ThrowIfNull(locks);
        _locks = locks;
    }

    /// <inheritdoc/>
    public async ValueTask<object?> AcquireLockAsync(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        TimeSpan timeout,
        ILogger? logger,
        CancellationToken token
    ) =>
        timeout < TimeSpan.Zero
            ? await _locks.AcquireAsync(lockName, token).ConfigureAwait(false)
            : await _locks.TryAcquireAsync(lockName, timeout, token).ConfigureAwait(false);

    /// <inheritdoc/>
    public object? AcquireLock(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        TimeSpan timeout,
        ILogger? logger,
        CancellationToken token
    ) => AcquireLockAsync(cacheName, cacheInstanceId, operationId, key, lockName, timeout, logger, token).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public ValueTask ReleaseLockAsync(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        object? lockObj,
        ILogger? logger,
        CancellationToken token
    ) => lockObj is IGarnetLock held ? held.DisposeAsync() : ValueTask.CompletedTask;

    /// <inheritdoc/>
    public void ReleaseLock(
        string cacheName,
        string cacheInstanceId,
        string operationId,
        string key,
        string lockName,
        object? lockObj,
        ILogger? logger,
        CancellationToken token
    ) => ReleaseLockAsync(cacheName, cacheInstanceId, operationId, key, lockName, lockObj, logger, token).AsTask().GetAwaiter().GetResult();

    /// <inheritdoc/>
    public void Dispose()
    {
        // The locks are the application's.
    }
}
