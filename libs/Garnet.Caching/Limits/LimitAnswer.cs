// What a count says to a request. A plain value.
namespace Garnet.Caching.Limits;

/// <summary>The answer to a request for permits.</summary>
/// <param name="IsGranted">Whether they were granted.</param>
/// <param name="Left">The permits that are left.</param>
/// <param name="RetryMs">Milliseconds after which a refused request is worth trying again; negative when that is not known.</param>
internal readonly record struct LimitAnswer(bool IsGranted, long Left, long RetryMs);
