// A command among several. A plain value.
namespace Garnet.Caching.Links;

/// <summary>A command's name, which is one of few, and its arguments.</summary>
internal readonly record struct CacheCommand(string Name, params ReadOnlyMemory<byte>[] Arguments);
