// Waits until replicas have a change. Immutable; any thread.
using Garnet.Caching.Links;

namespace Garnet.Caching.Coherence;

/// <summary>WAIT, for a change that must survive a failover.</summary>
internal sealed record ReplicaWait(int Replicas, TimeSpan Timeout)
{
    /// <summary>Waits for the writes that this link has sent before.</summary>
    /// <exception cref="TimeoutException">Too few replicas have them, or the link broke, so that it is not known.</exception>
    public async ValueTask WaitAsync(ICacheLink link, int losses, CancellationToken cancellationToken)
    {
        if (Replicas == 0)
            return;
        long have = (
            await link.CallAsync("WAIT", [CacheText.Number(Replicas), CacheText.Number(CacheText.Milliseconds(Timeout))], cancellationToken)
                .ConfigureAwait(false)
        ).AsInt64();
        // Over a new connection WAIT would not wait for what the former one wrote.
        if (have < Replicas || link.Losses != losses)
            throw new TimeoutException($"The change was made, but of {Replicas} replicas {have} had it after {Timeout}.");
    }
}
