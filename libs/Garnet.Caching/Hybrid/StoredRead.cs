// What was read of a key in the server. Immutable; any thread.
using Garnet.Caching.Coherence;

namespace Garnet.Caching.Hybrid;

/// <summary>An entry whose tags have not been removed, or none.</summary>
/// <param name="Nonce">What stands where an entry has its random number, valid or not.</param>
/// <param name="Entry">The entry if it is valid.</param>
/// <param name="Tags">The generations of its tags.</param>
/// <param name="Session">The session that knows of them; null when what was read must not be kept.</param>
/// <param name="FreshMs">For how long it is fresh; negative when it has expired and is kept to be served while it is loaded.</param>
internal sealed record StoredRead(ReadOnlyMemory<byte> Nonce, StoredEntry? Entry, TagGeneration[] Tags, CacheSession? Session, long FreshMs)
{
    /// <summary>Nothing was read.</summary>
    public static readonly StoredRead None = new(default, null, [], null, 0);

    /// <summary>Whether it can be served.</summary>
    public bool IsFresh => Entry is not null && FreshMs > 0;
}
