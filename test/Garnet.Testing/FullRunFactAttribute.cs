// Marks a test that is too expensive for continuous integration. Read by xunit's discovery; any thread.
using Xunit;

namespace Garnet.Testing;

/// <summary>A test for full runs only (GARNET_FAULTS_FULL=1): it takes gigabytes or minutes.</summary>
internal sealed class FullRunFactAttribute : FactAttribute
{
    /// <inheritdoc/>
    public override string? Skip
    {
        get => FaultScale.IsFull ? base.Skip : "full runs alone";
        set => base.Skip = value;
    }
}
