// Provides the full hash of an entry when the index splits a bucket. Called under the bucket's latch.
namespace Garnet.Store.Index;

/// <summary>Computes the hash of the key at an address.</summary>
internal unsafe interface IEntryHasher
{
    /// <summary>The full hash of the key of the record at an address.</summary>
    ulong HashOf(long address);

    /// <summary>Prefetches the records that a bucket's entries refer to.</summary>
    void Prefetch(byte* bucket);
}
