// What the name of a range command says already. Immutable.
namespace Garnet.Server.Commands.SortedSets;

/// <summary>What may still be chosen by options.</summary>
/// <param name="Kind">By what the range is given; null when options say so.</param>
/// <param name="IsReverse">The direction; null when an option says so.</param>
/// <param name="IsStored">Whether the result is stored with its scores.</param>
internal readonly record struct RangeForm(RangeKind? Kind, bool? IsReverse, bool IsStored)
{
    /// <summary>ZRANGE.</summary>
    public static RangeForm Any => default;

    /// <summary>ZRANGESTORE.</summary>
    public static RangeForm Store => new(null, null, IsStored: true);

    /// <summary>A command that goes upwards.</summary>
    public static RangeForm Forward(RangeKind kind) => new(kind, IsReverse: false, IsStored: false);

    /// <summary>A command that goes downwards.</summary>
    public static RangeForm Reverse(RangeKind kind) => new(kind, IsReverse: true, IsStored: false);
}
