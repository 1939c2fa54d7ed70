// The result of a load. A plain value.
namespace Garnet.Caching.Hybrid;

/// <summary>A value, and the entry it belongs to.</summary>
/// <param name="Found">False when there was none and none was to be loaded.</param>
/// <param name="Value">For the caller that began the load.</param>
/// <param name="Entry">For the others; null when the value cannot be shared or there is none.</param>
/// <param name="IsKept">Whether the entry may be kept in the process.</param>
internal readonly record struct LoadResult<T>(bool Found, T? Value, LocalEntryOf<T>? Entry, bool IsKept);
