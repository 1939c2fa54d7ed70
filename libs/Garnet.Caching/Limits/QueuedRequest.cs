// A request that waits in a queue. Its queue guards its place.
using System.Threading.RateLimiting;

namespace Garnet.Caching.Limits;

/// <summary>Completes with the request's lease; continuations do not run on the thread that completes it.</summary>
/// <param name="queue">Where it waits.</param>
/// <param name="permits">The permits that it asks for.</param>
internal sealed class QueuedRequest(LimitQueue queue, int permits)
    : TaskCompletionSource<RateLimitLease>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>The permits that it asks for.</summary>
    public int Permits => permits;

    /// <summary>Its place in the queue; null until it has one.</summary>
    public LinkedListNode<QueuedRequest>? Place { get; set; }

    /// <summary>Waits for the lease, or until the caller gives up.</summary>
    public async Task<RateLimitLease> WaitAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            static (request, token) => ((QueuedRequest)request!).Cancel(token),
            this
        );
        return await Task.ConfigureAwait(false);
    }

    private void Cancel(CancellationToken cancellationToken)
    {
        TrySetCanceled(cancellationToken);
        queue.Remove(this);
    }
}
