// Takes a sorted set's members as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a sorted set in any order.</summary>
public interface IRdbSortedSetSink
{
    /// <summary>A sorted set begins; the count is a hint that nobody vouches for.</summary>
    void BeginSortedSet(long count);

    /// <summary>A sorted set begins that was saved as a listpack of so many bytes and stays one unless it has too many members.</summary>
    void BeginPackedSortedSet(int bytes);

    /// <summary>
    /// Takes a member with its score, which is a number; false when it was there already, which ends the reading. Its bytes are valid
    /// during the call.
    /// </summary>
    bool AddScored(scoped ReadOnlySpan<byte> member, double score);

    /// <summary>The sorted set is complete; false when a member was there twice after all.</summary>
    bool EndSortedSet();
}
