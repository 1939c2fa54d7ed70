// Tests that measure the process run while no other test does.
using Xunit;

namespace Garnet.Dashboard.Tests;

[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    public const string Name = "alone";
}
