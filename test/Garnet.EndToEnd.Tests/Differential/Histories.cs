// The families of commands from which random histories of one server are made. Immutable; any thread.
using Garnet.EndToEnd.Tests.Differential.Generators;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The families that are compared with a real server, and one that writes to collections alone.</summary>
internal static class Histories
{
    public static Family[] All { get; } =
    [.. Family.All, new("collection writes", static (source, dialect) => new CollectionWrites(source, dialect))];
}
