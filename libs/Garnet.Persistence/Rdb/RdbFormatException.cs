// What is wrong with RDB data and where. Immutable.
namespace Garnet.Persistence.Rdb;

/// <summary>RDB data that cannot be read: damaged, truncated, or of a kind unknown to this version.</summary>
internal sealed class RdbFormatException : Exception
{
    /// <summary>Created with the position of the error and its reason.</summary>
    public RdbFormatException(long offset, string reason)
        : base($"{reason} (at byte {offset})")
    {
        Offset = offset;
        Reason = reason;
    }

    /// <summary>Offset of the error from the start of the file or payload.</summary>
    public long Offset { get; }

    /// <summary>The reason, without the position.</summary>
    public string Reason { get; }
}
