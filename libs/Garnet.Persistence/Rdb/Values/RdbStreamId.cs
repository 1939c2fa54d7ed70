// The ID of a stream's entry. Immutable.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Milliseconds and a number within them.</summary>
/// <param name="Ms">Unix milliseconds.</param>
/// <param name="Sequence">Number within the millisecond.</param>
internal readonly record struct RdbStreamId(ulong Ms, ulong Sequence) : IComparable<RdbStreamId>
{
    /// <inheritdoc/>
    public int CompareTo(RdbStreamId other) => Ms != other.Ms ? Ms.CompareTo(other.Ms) : Sequence.CompareTo(other.Sequence);

    public static bool operator <(RdbStreamId left, RdbStreamId right) => left.CompareTo(right) < 0;

    public static bool operator >(RdbStreamId left, RdbStreamId right) => left.CompareTo(right) > 0;

    public static bool operator <=(RdbStreamId left, RdbStreamId right) => left.CompareTo(right) <= 0;

    public static bool operator >=(RdbStreamId left, RdbStreamId right) => left.CompareTo(right) >= 0;
}
