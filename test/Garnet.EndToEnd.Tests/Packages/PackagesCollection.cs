// Has the packages' tests run one after another, on packages made once.
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[CollectionDefinition(Name)]
public sealed class PackagesCollection : ICollectionFixture<PackedPackages>
{
    public const string Name = "packages";
}
