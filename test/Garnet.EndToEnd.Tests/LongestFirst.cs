// The order in which collections of tests begin. Used once, by the test runner.
using Garnet.EndToEnd.Tests.Faults;
using Garnet.EndToEnd.Tests.Packages;
using Xunit;
using Xunit.Abstractions;

[assembly: TestCollectionOrderer("Garnet.EndToEnd.Tests.LongestFirst", "Garnet.EndToEnd.Tests")]

namespace Garnet.EndToEnd.Tests;

/// <summary>
/// Begins the two collections whose tests take longest one after the other, so that all others run beside them and not before them.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] Longest = [PackagesCollection.Name, FaultsCollection.Name];

    /// <inheritdoc/>
    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderByDescending(static collection => Longest.Contains(collection.DisplayName));
}
