// The tests that measure memory of the whole process: nothing runs beside them.
namespace Garnet.Network.Tests;

[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    internal const string Name = "alone";
}
