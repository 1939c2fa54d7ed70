// The tokens of tags at a moment. Immutable; any thread.
namespace Garnet.Caching.Coherence;

/// <summary>Tokens, and the generations and session that tell when they end; without a session they are good for one comparison.</summary>
internal readonly record struct TagSnapshot(Guid[] Tokens, TagGeneration[] Generations, CacheSession? Session);
