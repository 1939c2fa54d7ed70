// The ID of an entry of a stream. Immutable.
using Garnet.Store.Collections.Streams;

namespace Garnet.Modules;

/// <summary>A time and a sequence number within it; IDs are ordered by both.</summary>
/// <param name="Milliseconds">The time, usually Unix time in milliseconds.</param>
/// <param name="Sequence">The sequence number.</param>
public readonly record struct StreamEntryId(ulong Milliseconds, ulong Sequence) : IComparable<StreamEntryId>
{
    /// <summary>The greatest ID.</summary>
    public static StreamEntryId Max => new(ulong.MaxValue, ulong.MaxValue);

    internal StreamId Inner => new(Milliseconds, Sequence);

    internal static StreamEntryId Of(StreamId id) => new(id.Milliseconds, id.Sequence);

    /// <inheritdoc/>
    public int CompareTo(StreamEntryId other) => Inner.CompareTo(other.Inner);

    /// <summary>Whether one ID is below another.</summary>
    public static bool operator <(StreamEntryId left, StreamEntryId right) => left.CompareTo(right) < 0;

    /// <summary>Whether one ID is above another.</summary>
    public static bool operator >(StreamEntryId left, StreamEntryId right) => left.CompareTo(right) > 0;

    /// <summary>Whether one ID is at most another.</summary>
    public static bool operator <=(StreamEntryId left, StreamEntryId right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one ID is at least another.</summary>
    public static bool operator >=(StreamEntryId left, StreamEntryId right) => left.CompareTo(right) >= 0;

    /// <summary>The ID as XADD replies it: <c>1526919030474-55</c>.</summary>
    public override string ToString() => $"{Milliseconds}-{Sequence}";
}
