// A lock that is held. Implementations are thread-safe.
namespace Garnet.Caching;

/// <summary>Is renewed until it is disposed, which gives it to the next who waits.</summary>
public interface IGarnetLock : IAsyncDisposable
{
    /// <summary>Its name.</summary>
    string Name { get; }

    /// <summary>
    /// Larger than that of every acquisition of this name before. A resource that refuses smaller numbers than the largest it has seen is
    /// safe from an owner that was paused for longer than the lease and does not know it yet.
    /// </summary>
    long FencingToken { get; }

    /// <summary>
    /// Cancelled when the lock is lost, or may be lost because the server has not confirmed it for as long as the lease lasts.
    /// </summary>
    CancellationToken Lost { get; }

    /// <summary>Whether it is surely held at this moment, as far as this process's clock can tell.</summary>
    bool IsHeld { get; }
}
