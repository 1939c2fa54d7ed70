// Takes a set's members as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a set in any order.</summary>
public interface IRdbSetSink
{
    /// <summary>A set begins; the count is a hint that nobody vouches for.</summary>
    void BeginSet(long count);

    /// <summary>A set begins that was saved as a listpack and stays one, even of integers, unless it is too large.</summary>
    void BeginPackedSet();

    /// <summary>Takes a member; false when it was there already, which ends the reading. Its bytes are valid during the call.</summary>
    bool AddMember(scoped ReadOnlySpan<byte> member);
}
