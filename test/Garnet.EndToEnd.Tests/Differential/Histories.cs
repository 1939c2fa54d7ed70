// The command families for random histories of one server. Immutable; any thread.
using Garnet.EndToEnd.Tests.Differential.Generators;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The families that are compared with a real server, and one that only writes to collections.</summary>
internal static class Histories
{
    public static Family[] All { get; } =
    [.. Family.All, new("collection writes", static (source, dialect) => new CollectionWrites(source, dialect))];
}
