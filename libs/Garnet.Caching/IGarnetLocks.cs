// Locks that instances of an application share. Implementations are thread-safe.
namespace Garnet.Caching;

/// <summary>
/// Named locks in a server. Each acquisition has a number that is larger than those before it, which a resource can check; its owner learns
/// by a token when it has, or may have, lost the lock.
/// </summary>
/// <remarks>
/// A lock is a lease that is renewed while it is held. Its numbers grow also when the server has been restarted or flushed, because they
/// are at least the server's time in microseconds; only a failover to a server that has not got the last ones and whose clock is behind by
/// more than the time since can repeat one.
/// </remarks>
public interface IGarnetLocks
{
    /// <summary>Waits for a lock; those who wait get it in the order in which they came.</summary>
    /// <param name="name">The lock's name.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="Garnet.Client.RespConnectionException">The server could not be reached.</exception>
    ValueTask<IGarnetLock> AcquireAsync(string name, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="AcquireAsync"/>, for a limited time; null when it was not to be had.</summary>
    /// <param name="name">The lock's name.</param>
    /// <param name="wait">How long to wait; zero to take the lock only if it is free and nobody waits.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    ValueTask<IGarnetLock?> TryAcquireAsync(string name, TimeSpan wait, CancellationToken cancellationToken = default);
}
