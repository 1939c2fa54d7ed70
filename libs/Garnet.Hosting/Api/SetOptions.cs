// The options of a SET. A plain value.
namespace Garnet;

/// <summary>Expiry and condition of a SET; <c>default</c> sets unconditionally and without expiry.</summary>
public readonly record struct SetOptions
{
    /// <summary>Time to live of the key; must be positive, and is rounded up to milliseconds.</summary>
    public TimeSpan? ExpiresAfter { get; init; }

    /// <summary>Time at which the key expires; a time in the past removes it. Not together with <see cref="ExpiresAfter"/>.</summary>
    public DateTimeOffset? ExpiresAt { get; init; }

    /// <summary>
    /// The key expires this long after it was set or last renewed (<see cref="GarnetStringExtensions.GetAndRenew(IGarnet, ReadOnlySpan{byte})"/>,
    /// <see cref="GarnetKeyExtensions.Renew(IGarnet, ReadOnlySpan{byte})"/>; other reads do not renew). A second expiry, if given, is an upper bound for renewals.
    /// </summary>
    public TimeSpan? Sliding { get; init; }

    /// <summary>Keeps the key's current expiry. Not together with another expiry.</summary>
    public bool KeepsExpiry { get; init; }

    /// <summary>The condition.</summary>
    public SetCondition Condition { get; init; }
}
