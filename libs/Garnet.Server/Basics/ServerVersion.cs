// The version that the server reports. Immutable, any thread.
using System.Reflection;
using System.Runtime;

namespace Garnet.Server.Basics;

/// <summary>The server's own version, and the one that clients use to detect features.</summary>
internal static class ServerVersion
{
    /// <summary>
    /// The version in HELLO and in <c>redis_version</c>: the one that Valkey reports, so that clients use the commands that both servers
    /// have.
    /// </summary>
    public const string Compatibility = "7.2.4";

    /// <summary>Whether this is a native build: compiled ahead of time as a whole, without the runtime's compiler.</summary>
    public static bool IsNative { get; } = JitInfo.GetCompiledMethodCount() == 0;

    /// <summary>Garnet's version.</summary>
    public static string Current { get; } =
        typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>() is { } full
            ? full.InformationalVersion.Split('+')[0]
            : "0";

    /// <summary>The revision it was built from, or empty.</summary>
    public static string Revision { get; } =
        typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>() is { } full
        && full.InformationalVersion.Contains('+')
            ? full.InformationalVersion.Split('+')[1]
            : "";
}
