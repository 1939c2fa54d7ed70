// The sliding part of a record's expiry. A plain value.
namespace Garnet.Store.Records;

/// <summary>
/// A key with it expires so long after its last renewal, at the latest at its limit. The record's expiry is the effective time, kept up to
/// date by renewals; this tells by what they go.
/// </summary>
/// <param name="Milliseconds">How long the key lives after a renewal; 0 when its expiry does not slide.</param>
/// <param name="LimitMs">Unix milliseconds beyond which no renewal moves the expiry; <see cref="NoLimit"/> for none.</param>
public readonly record struct SlidingExpiry(long Milliseconds, long LimitMs)
{
    /// <summary>The limit of a key that may live on for ever.</summary>
    public const long NoLimit = long.MaxValue;

    // A renewal writes the record, the log and whatever follows it; one this small a part of the time after the last is left out.
    private const int MinPart = 128;

    /// <summary>True for an expiry that slides.</summary>
    public bool Slides => Milliseconds > 0;

    /// <summary>When a key that was renewed at a time expires.</summary>
    public long ExpiresAtMs(long renewedAtMs) =>
        Math.Min(renewedAtMs > long.MaxValue - Milliseconds ? long.MaxValue : renewedAtMs + Milliseconds, LimitMs);

    /// <summary>
    /// Whether a renewal now is worth its write: it would move the expiry by more than a hundred-and-twenty-eighth of the sliding time.
    /// </summary>
    public bool IsDue(long expiresAtMs, long nowMs) => ExpiresAtMs(nowMs) - expiresAtMs > Milliseconds / MinPart;
}
