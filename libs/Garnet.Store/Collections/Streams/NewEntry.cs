// An entry about to be appended to a stream; its fields are in the thread's scratch. Immutable.
namespace Garnet.Store.Collections.Streams;

/// <summary>Describes a new entry apart from its fields.</summary>
/// <param name="Id">Its ID, greater than all others.</param>
/// <param name="Fields">Number of fields.</param>
/// <param name="TextBytes">Total length of the names and values.</param>
/// <param name="IsDeleted">Whether it was deleted on another server and only takes up space.</param>
internal readonly record struct NewEntry(StreamId Id, int Fields, long TextBytes, bool IsDeleted)
{
    /// <summary>1 for a live entry, otherwise 0.</summary>
    public int Live => IsDeleted ? 0 : 1;

    /// <summary>1 for a deleted entry, otherwise 0.</summary>
    public int Deleted => IsDeleted ? 1 : 0;
}
