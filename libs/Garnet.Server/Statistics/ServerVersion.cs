// What the server says it is. Immutable, any thread.
using System.Reflection;

namespace Garnet.Server.Statistics;

/// <summary>The server's own version, and the one that clients compare with to learn what a server can do.</summary>
public static class ServerVersion
{
    /// <summary>
    /// The version given as that of HELLO and as <c>redis_version</c>: the one Valkey gives, so that clients that look at it
    /// use the commands that both servers have.
    /// </summary>
    public const string Compatibility = "7.2.4";

    /// <summary>Garnet's version.</summary>
    public static string Current { get; } =
        typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>() is { } full
            ? full.InformationalVersion.Split('+')[0]
            : "0";

    /// <summary>The revision it was built from, or an empty text.</summary>
    public static string Revision { get; } =
        typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>() is { } full
        && full.InformationalVersion.Contains('+')
            ? full.InformationalVersion.Split('+')[1]
            : "";
}
