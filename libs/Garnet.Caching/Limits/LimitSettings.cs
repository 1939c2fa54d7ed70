// What a limiter is made with. Immutable; any thread.
using System.Threading.RateLimiting;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>The settings that limiters of all kinds have.</summary>
/// <param name="Key">The limit's key.</param>
/// <param name="Limit">The most permits that one request can get.</param>
/// <param name="Script">Counts; see <see cref="LimitScripts"/>.</param>
/// <param name="Values">The script's values behind permits and limit.</param>
/// <param name="AllowsWithoutServer">Whether requests are granted while the server cannot be reached.</param>
/// <param name="QueueLimit">The most permits that are waited for at once.</param>
/// <param name="QueueOrder">Who of those that wait is served first.</param>
internal sealed record LimitSettings(
    byte[] Key,
    int Limit,
    CacheScript Script,
    byte[][] Values,
    bool AllowsWithoutServer,
    int QueueLimit,
    QueueProcessingOrder QueueOrder
);
