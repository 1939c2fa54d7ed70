// What a SET may be given beside key and value. A plain value.
namespace Garnet;

/// <summary>Expiry and condition of a SET; <c>default</c> sets always and without expiry.</summary>
public readonly record struct SetOptions
{
    /// <summary>The key expires after so long; must be positive and is rounded up to milliseconds.</summary>
    public TimeSpan? ExpiresAfter { get; init; }

    /// <summary>The key expires at this time; one that has passed removes it. Not together with <see cref="ExpiresAfter"/>.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }

    /// <summary>
    /// The key expires so long after it was set or last renewed (<see cref="GarnetStringExtensions.GetAndRenew(IGarnet, ReadOnlySpan{byte})"/>,
    /// <see cref="GarnetKeyExtensions.Renew(IGarnet, ReadOnlySpan{byte})"/>; reading alone renews nothing). The other expiry, if there is one, is the limit that no renewal passes.
    /// </summary>
    public TimeSpan? Sliding { get; init; }

    /// <summary>Keeps the expiry that the key has. Not together with another expiry.</summary>
    public bool KeepsExpiry { get; init; }

    /// <summary>When to set at all.</summary>
    public SetCondition Condition { get; init; }
}
