// Receives a sorted set's members as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a sorted set in any order.</summary>
internal interface IRdbSortedSetSink
{
    /// <summary>A sorted set begins; the count is an untrusted hint.</summary>
    void BeginSortedSet(long count);

    /// <summary>A sorted set begins that was saved as a listpack of this size and stays one unless it has too many members.</summary>
    void BeginPackedSortedSet(int bytes);

    /// <summary>
    /// Receives a member with its score, which is not NaN; false for a duplicate, which ends reading. Its bytes are valid during the call.
    /// </summary>
    bool AddScored(scoped ReadOnlySpan<byte> member, double score);

    /// <summary>The sorted set is complete; false when a duplicate member is found now.</summary>
    bool EndSortedSet();
}
