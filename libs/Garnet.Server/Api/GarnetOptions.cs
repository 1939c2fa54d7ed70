// The settings of one server, as plain values. Filled by one thread before the server starts; a running server publishes
// it through ServerConfiguration and never changes a published instance, so that readers need no lock.
using System.Collections.Immutable;

namespace Garnet;

/// <summary>
/// Every setting of a server with its default. On the command line, in the environment, in a configuration file and for CONFIG SET each
/// has the name that <c>garnet --help all</c> lists, with its range.
/// </summary>
public sealed partial class GarnetOptions
{
    /// <summary>Values set for Valkey's options without an effect here, by name.</summary>
    internal ImmutableDictionary<string, string> Ignored { get; set; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>A copy that can be changed independently; values of reference type are themselves immutable.</summary>
    public GarnetOptions Clone() => (GarnetOptions)MemberwiseClone();

    // The server counts in its own units, which are also those of the command line; a part of one counts as one.
    private static long Units(TimeSpan value, long ticks, long max)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
        (long whole, long rest) = Math.DivRem(value.Ticks, ticks);
        return Math.Min(rest > 0 ? whole + 1 : whole, max);
    }

    private static TimeSpan Span(long units, long ticks) =>
        units > TimeSpan.MaxValue.Ticks / ticks ? TimeSpan.MaxValue : TimeSpan.FromTicks(units * ticks);
}
