// The operating system whose code paths are used. Read once; usable from any thread.
using System.Runtime.Versioning;

namespace Garnet.Store;

/// <summary>
/// The operating system's family, used everywhere instead of the runtime's own checks. On Linux the environment variable
/// <c>GARNET_SYSTEM</c> (<c>windows</c> or <c>macos</c>) selects those code paths, so that they can be tested without such a machine. Where
/// system calls of the other system would be needed, Linux's are used under the other's rules: as <c>windows</c>, uncommitted memory cannot
/// be accessed; as <c>macos</c>, memory is returned in pages of 16 KiB. On other systems the variable has no effect.
/// </summary>
internal static class HostSystem
{
    /// <summary>The variable's name.</summary>
    public const string Variable = "GARNET_SYSTEM";

    private const int AppleProcessorPageBytes = 16 * 1024;

    private static readonly string PlayedCallback = OperatingSystem.IsLinux() ? Environment.GetEnvironmentVariable(Variable) ?? "" : "";

    /// <summary>Whether Linux system calls are used.</summary>
    [SupportedOSPlatformGuard("linux")]
    public static bool IsLinux { get; } = OperatingSystem.IsLinux() && !IsPlayed("windows") && !IsPlayed("macos");

    /// <summary>Whether files and certificates are treated as on Windows.</summary>
    [SupportedOSPlatformGuard("windows")]
    public static bool IsWindows { get; } = OperatingSystem.IsWindows() || IsPlayed("windows");

    /// <summary>Whether another system is being emulated; its name is in <see cref="Played"/>.</summary>
    public static bool IsPlaying => OperatingSystem.IsLinux() && !IsLinux;

    /// <summary>The emulated system; empty for none.</summary>
    public static string Played => IsPlaying ? PlayedCallback : "";

    /// <summary>The granularity at which the system provides memory.</summary>
    internal static int PageBytes { get; } = IsPlayed("macos") ? AppleProcessorPageBytes : Environment.SystemPageSize;

    /// <summary>Whether a text is a valid value of the variable.</summary>
    public static bool IsKnown(string text) =>
        text.Length == 0
        || text.Equals("windows", StringComparison.OrdinalIgnoreCase)
        || text.Equals("macos", StringComparison.OrdinalIgnoreCase);

    private static bool IsPlayed(string name) => PlayedCallback.Equals(name, StringComparison.OrdinalIgnoreCase);
}
