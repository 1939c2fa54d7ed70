// Runs the package tests sequentially, on packages built once.
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[CollectionDefinition(Name)]
public sealed class PackagesCollection : ICollectionFixture<PackedPackages>
{
    public const string Name = "packages";
}
