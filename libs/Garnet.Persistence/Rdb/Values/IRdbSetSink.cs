// Receives a set's members as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a set in any order.</summary>
internal interface IRdbSetSink
{
    /// <summary>A set begins; a count above the limit of an intset makes it a hashtable, although the count is untrusted.</summary>
    void BeginSet(long count);

    /// <summary>
    /// A set begins that was saved as a listpack of this size and stays one, even of integers, unless it has too many members.
    /// </summary>
    void BeginPackedSet(int bytes);

    /// <summary>Receives a member; false for a duplicate, which ends reading. Its bytes are valid during the call.</summary>
    bool AddMember(scoped ReadOnlySpan<byte> member);
}
