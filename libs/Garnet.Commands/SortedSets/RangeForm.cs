// The properties of a range command that follow from its name. Immutable.
namespace Garnet.Commands.SortedSets;

/// <summary>The fixed properties of a command; options choose the others.</summary>
/// <param name="Kind">What the range is over; null if options choose it.</param>
/// <param name="IsReverse">The direction; null if an option chooses it.</param>
/// <param name="IsStored">Whether the result is stored with its scores.</param>
internal readonly record struct RangeForm(RangeKind? Kind, bool? IsReverse, bool IsStored)
{
    /// <summary>ZRANGE.</summary>
    public static RangeForm Any => default;

    /// <summary>ZRANGESTORE.</summary>
    public static RangeForm Store => new(null, null, IsStored: true);

    /// <summary>A command with ascending order.</summary>
    public static RangeForm Forward(RangeKind kind) => new(kind, IsReverse: false, IsStored: false);

    /// <summary>A command with descending order.</summary>
    public static RangeForm Reverse(RangeKind kind) => new(kind, IsReverse: true, IsStored: false);
}
