// Marks a test of the Windows build. Read by xunit's discovery; any thread.
using Xunit;

namespace Garnet.Testing;

/// <summary>A test that needs a Windows build, which GARNET_WINDOWS names, and Wine; skipped without.</summary>
internal sealed class WindowsBuildFactAttribute : FactAttribute
{
    /// <inheritdoc/>
    public override string? Skip
    {
        get => GarnetProcess.IsWindowsBuild ? base.Skip : "needs a Windows build (GARNET_WINDOWS)";
        set => base.Skip = value;
    }
}
