// A collection for tests that measure memory of the whole process: no other test runs in parallel.
namespace Garnet.Network.Tests;

[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    internal const string Name = "alone";
}
