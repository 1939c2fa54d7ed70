// Marks a test of what only Linux has. Read by xunit's discovery; any thread.
using Xunit;

namespace Garnet.Testing;

/// <summary>A test that is skipped where the system is not Linux.</summary>
internal sealed class LinuxFactAttribute : FactAttribute
{
    /// <inheritdoc/>
    public override string? Skip
    {
        get => OperatingSystem.IsLinux() ? base.Skip : "needs Linux";
        set => base.Skip = value;
    }
}
