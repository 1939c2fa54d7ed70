// Which operating system's ways are taken. Read once; any thread.
using System.Runtime.Versioning;

namespace Garnet.Store;

/// <summary>
/// The family of the operating system, asked everywhere in place of the runtime's own answer: on Linux the variable <c>GARNET_SYSTEM</c>
/// (<c>windows</c> or <c>macos</c>) has a process take those branches, so that they can be tried and tested without such a machine. What
/// only the other system's own calls can do stays Linux's, held to the other's rules: as <c>windows</c>, memory that was not committed
/// cannot be touched; as <c>macos</c>, memory is given back in pages of 16 KiB. Elsewhere the variable has no effect.
/// </summary>
public static class HostSystem
{
    /// <summary>The variable's name.</summary>
    public const string Variable = "GARNET_SYSTEM";

    private const int AppleProcessorPageBytes = 16 * 1024;

    private static readonly string PlayedCallback = OperatingSystem.IsLinux() ? Environment.GetEnvironmentVariable(Variable) ?? "" : "";

    /// <summary>Whether Linux's own calls are used.</summary>
    [SupportedOSPlatformGuard("linux")]
    public static bool IsLinux { get; } = OperatingSystem.IsLinux() && !IsPlayed("windows") && !IsPlayed("macos");

    /// <summary>Whether files and certificates are treated as on Windows.</summary>
    [SupportedOSPlatformGuard("windows")]
    public static bool IsWindows { get; } = OperatingSystem.IsWindows() || IsPlayed("windows");

    /// <summary>Whether another system's ways are tried out here; its name then stands in <see cref="Played"/>.</summary>
    public static bool IsPlaying => OperatingSystem.IsLinux() && !IsLinux;

    /// <summary>The system that is tried out; empty for none.</summary>
    public static string Played => IsPlaying ? PlayedCallback : "";

    /// <summary>The unit in which the system hands out memory.</summary>
    internal static int PageBytes { get; } = IsPlayed("macos") ? AppleProcessorPageBytes : Environment.SystemPageSize;

    /// <summary>Whether a text is a value of the variable.</summary>
    public static bool IsKnown(string text) =>
        text.Length == 0
        || text.Equals("windows", StringComparison.OrdinalIgnoreCase)
        || text.Equals("macos", StringComparison.OrdinalIgnoreCase);

    private static bool IsPlayed(string name) => PlayedCallback.Equals(name, StringComparison.OrdinalIgnoreCase);
}
