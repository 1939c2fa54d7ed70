// The fault tests run one after the other: they measure a process's memory and processor time.
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>Holds the fault tests together.</summary>
[CollectionDefinition(Name)]
public sealed class FaultsCollection
{
    /// <summary>The collection's name.</summary>
    public const string Name = "Faults";
}
