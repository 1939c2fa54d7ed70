// An entry about to be appended to a stream; its fields are in the scratch. Immutable.
namespace Garnet.Store.Collections.Streams;

/// <summary>What is known of a new entry beside its fields.</summary>
/// <param name="Id">Its ID, above all others.</param>
/// <param name="Fields">Number of fields.</param>
/// <param name="TextBytes">Bytes of their names and values together.</param>
/// <param name="IsDeleted">Whether it was deleted elsewhere, and only takes room.</param>
internal readonly record struct NewEntry(StreamId Id, int Fields, long TextBytes, bool IsDeleted)
{
    /// <summary>1 when it is seen, else 0.</summary>
    public int Live => IsDeleted ? 0 : 1;

    /// <summary>1 when it is not seen, else 0.</summary>
    public int Deleted => IsDeleted ? 1 : 0;
}
