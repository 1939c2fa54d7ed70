// Fault tests run sequentially, because they measure a process's memory and processor time.
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>The collection of the fault tests.</summary>
[CollectionDefinition(Name)]
public sealed class FaultsCollection
{
    /// <summary>The collection's name.</summary>
    public const string Name = "Faults";
}
