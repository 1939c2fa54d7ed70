// Limits that instances of an application share. Implementations are thread-safe.
using System.Threading.RateLimiting;

namespace Garnet.Caching;

/// <summary>
/// Makes rate limiters whose permits are counted in a server: all limiters of one name and kind, on any instance, share them. Give one to
/// each partition: <c>RateLimitPartition.Get(user, name => limits.TokenBucket("api:" + name, 100, 10, TimeSpan.FromSeconds(1)))</c>.
/// </summary>
/// <remarks>
/// A refusal says by <c>RetryAfter</c> when it is worth trying again. With a server elsewhere <c>AttemptAcquire</c> refuses without asking,
/// since it must not wait; ASP.NET then calls <c>AcquireAsync</c>. Where <c>queueLimit</c> is more than 0, <c>AcquireAsync</c> waits for
/// its permits as with .NET's own limiters, as long as no more than so many are waited for. Each limiter has a queue of its own, in its
/// process, and keeps its order; between instances, whoever asks first after permits have come back gets them.
/// </remarks>
public interface IGarnetLimits
{
    /// <summary>At most so many permits in a window, which begins with the first one.</summary>
    RateLimiter FixedWindow(
        string name,
        int permitLimit,
        TimeSpan window,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    );

    /// <summary>At most so many permits in any time as long as the window, counted in segments.</summary>
    RateLimiter SlidingWindow(
        string name,
        int permitLimit,
        TimeSpan window,
        int segmentsPerWindow,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    );

    /// <summary>Tokens that come back at a steady rate, up to a limit.</summary>
    RateLimiter TokenBucket(
        string name,
        int tokenLimit,
        int tokensPerPeriod,
        TimeSpan replenishmentPeriod,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    );

    /// <summary>
    /// At most so many leases at once. Those of an instance that died count until <see cref="GarnetLimitOptions.Lease"/> is over.
    /// </summary>
    RateLimiter Concurrency(
        string name,
        int permitLimit,
        int queueLimit = 0,
        QueueProcessingOrder queueProcessingOrder = QueueProcessingOrder.OldestFirst
    );
}
