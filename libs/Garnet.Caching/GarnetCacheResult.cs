// The answer of a read without a loader. A plain value.
namespace Garnet.Caching;

/// <summary>Whether there was an entry, and its value, which may be null.</summary>
/// <param name="Found">Whether there was an entry.</param>
/// <param name="Value">Its value; the default of the type when there was none.</param>
public readonly record struct GarnetCacheResult<T>(bool Found, T? Value);
