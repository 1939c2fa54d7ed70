// Fault tests that measure the memory, the processor time or the delays of a process run one after the other.
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>The collection of the fault tests that measure.</summary>
[CollectionDefinition(Name)]
public sealed class FaultsCollection
{
    /// <summary>The collection's name.</summary>
    public const string Name = "Faults";
}
