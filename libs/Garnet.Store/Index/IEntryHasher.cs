// How the index learns the full hash of an entry when it splits a bucket. Called under the bucket's latch.
namespace Garnet.Store.Index;

/// <summary>Knows the hash behind an address.</summary>
internal unsafe interface IEntryHasher
{
    /// <summary>The full hash of the key of the record at an address.</summary>
    ulong HashOf(long address);

    /// <summary>Fetches the records that a bucket's entries name ahead of their use.</summary>
    void Prefetch(byte* bucket);
}
