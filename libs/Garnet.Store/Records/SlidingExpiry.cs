// The sliding part of a record's expiry. Immutable.
namespace Garnet.Store.Records;

/// <summary>
/// A key with a sliding expiry expires a fixed time after its last renewal, but no later than a limit. The record's expiry is the effective
/// time, updated by renewals; this holds the parameters.
/// </summary>
/// <param name="Milliseconds">Time to live after a renewal; 0 when the expiry does not slide.</param>
/// <param name="LimitMs">Unix milliseconds beyond which renewals do not move the expiry; <see cref="NoLimit"/> for none.</param>
internal readonly record struct SlidingExpiry(long Milliseconds, long LimitMs)
{
    /// <summary>The limit of a key that may be renewed indefinitely.</summary>
    public const long NoLimit = long.MaxValue;

    // A renewal writes the record and the log; one that comes after less than this fraction of the sliding time is skipped.
    private const int MinPart = 128;

    /// <summary>True for an expiry that slides.</summary>
    public bool Slides => Milliseconds > 0;

    /// <summary>The expiry of a key renewed at the given time.</summary>
    public long ExpiresAtMs(long renewedAtMs) =>
        Math.Min(renewedAtMs > long.MaxValue - Milliseconds ? long.MaxValue : renewedAtMs + Milliseconds, LimitMs);

    /// <summary>
    /// Whether a renewal now is worth its write: it would move the expiry by more than 1/128 of the sliding time.
    /// </summary>
    public bool IsDue(long expiresAtMs, long nowMs) => ExpiresAtMs(nowMs) - expiresAtMs > Milliseconds / MinPart;
}
