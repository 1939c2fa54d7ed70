// Takes a set's members as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a set in any order.</summary>
public interface IRdbSetSink
{
    /// <summary>A set begins; more members than the limit of an intset make it a hashtable, though nobody vouches for the count.</summary>
    void BeginSet(long count);

    /// <summary>
    /// A set begins that was saved as a listpack of so many bytes and stays one, even of integers, unless it has too many members.
    /// </summary>
    void BeginPackedSet(int bytes);

    /// <summary>Takes a member; false when it was there already, which ends the reading. Its bytes are valid during the call.</summary>
    bool AddMember(scoped ReadOnlySpan<byte> member);
}
