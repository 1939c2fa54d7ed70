// Decides whether a client may use a guarded command. Stateless; any thread.
namespace Garnet.Engine.Execution;

/// <summary>Applies <see cref="CommandAccess"/> to a client.</summary>
internal static class CommandAccessExtensions
{
    /// <summary>Whether an option allows its commands for this client.</summary>
    public static bool Includes(this CommandAccess access, ClientSession client) =>
        access == CommandAccess.Yes || (access == CommandAccess.Local && client.Connection.IsLocal);
}
