// The answer of a limit. Immutable, but for the end of a lease that gives permits back.
using System.Diagnostics.CodeAnalysis;
using System.Threading.RateLimiting;

namespace Garnet.Caching.Limits;

/// <summary>Granted or refused; a refusal may say when it is worth trying again.</summary>
internal class LimitLease(bool isGranted, TimeSpan? retryAfter) : RateLimitLease
{
    /// <summary>Permits that do not come back.</summary>
    public static readonly LimitLease Plain = new(isGranted: true, null);

    /// <summary>Refused, without a time at which it is worth trying again.</summary>
    public static readonly LimitLease Refused = new(isGranted: false, null);

    private static readonly string[] Names = [MetadataName.RetryAfter.Name];

    /// <inheritdoc/>
    public override bool IsAcquired => isGranted;

    /// <inheritdoc/>
    public override IEnumerable<string> MetadataNames => retryAfter is null ? [] : Names;

    /// <inheritdoc/>
    public override bool TryGetMetadata(string metadataName, [NotNullWhen(true)] out object? metadata)
    {
        metadata = metadataName == MetadataName.RetryAfter.Name ? retryAfter : null;
        return metadata is not null;
    }
}
