// Says what is wrong with RDB data and where. Immutable.
namespace Garnet.Persistence.Rdb;

/// <summary>RDB data that cannot be read: damaged, cut off, or of a kind this version does not know.</summary>
public sealed class RdbFormatException : Exception
{
    /// <summary>Tells where the reading stopped and why.</summary>
    public RdbFormatException(long offset, string reason)
        : base($"{reason} (at byte {offset})")
    {
        Offset = offset;
        Reason = reason;
    }

    /// <summary>Bytes from the start of the file or payload to the place that could not be read.</summary>
    public long Offset { get; }

    /// <summary>What is wrong, without the place.</summary>
    public string Reason { get; }
}
