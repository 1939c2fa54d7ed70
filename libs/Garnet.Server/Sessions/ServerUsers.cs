// The users there are. Immutable; any thread.
namespace Garnet.Server.Sessions;

/// <summary>Names of users.</summary>
public static class ServerUsers
{
    /// <summary>The only one.</summary>
    public const string Default = "default";
}
