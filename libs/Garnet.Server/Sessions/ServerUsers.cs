// The server's users. Immutable; any thread.
namespace Garnet.Server.Sessions;

/// <summary>User names.</summary>
internal static class ServerUsers
{
    /// <summary>The only one.</summary>
    public const string Default = "default";
}
