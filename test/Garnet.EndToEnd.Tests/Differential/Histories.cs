// The command families for random histories of one server. Immutable; any thread.
using System.Diagnostics;
using Garnet.EndToEnd.Tests.Differential.Generators;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The families that are compared with a real server, and one that only writes to collections.</summary>
internal static class Histories
{
    public static Family[] All { get; } =
    [
        // Its server is a replica at times.
        .. Family.All.Where(static family => family.Name != "conditions"),
        new("collection writes", static (source, dialect) => new CollectionWrites(source, dialect)),
    ];

    /// <summary>Their names, for theories.</summary>
    public static TheoryData<string> Names => [.. All.Select(family => family.Name)];

    /// <summary>
    /// Random histories of a family with the seed of each: at least one, and more until the time for fuzzing is over; all of them in full
    /// runs.
    /// </summary>
    public static IEnumerable<(int Seed, Episode Episode)> Episodes(string family, int firstSeed, int count)
    {
        Family chosen = All.Single(each => each.Name == family);
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count && (FaultScale.IsFull || i == 0 || Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime); i++)
            yield return (firstSeed + i, chosen.Generate(firstSeed + i, Dialect.Valkey91));
    }
}
