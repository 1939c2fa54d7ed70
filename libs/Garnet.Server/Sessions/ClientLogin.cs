// The user of a client. Part of a ClientSession: written by its thread or while no command runs, read by others for CLIENT LIST.
using Garnet.Server.Acl;

namespace Garnet.Server.Sessions;

/// <summary>The user whose rules apply to a client, and whether it still has to log in.</summary>
internal struct ClientLogin(Users users)
{
    private bool _isDone = !users.RequireLogin;

    /// <summary>
    /// The user whose rules apply, the default user before a login; null for callers that may do anything, inside the process.
    /// </summary>
    public User? User { get; set; } = users.Default;

    /// <summary>
    /// True while the client must still authenticate; a client that has not done so is admitted when the password is removed.
    /// </summary>
    public readonly bool IsRequired => !_isDone && users.RequireLogin;

    /// <summary>Whether the user's rules have to be checked.</summary>
    public readonly bool IsRestricted => User is { Rules.AllowEverything: false };

    /// <summary>Logs the client in; null for a caller inside the process.</summary>
    public void Begin(User? user)
    {
        User = user;
        _isDone = true;
    }

    /// <summary>Makes the client a new connection's user again (RESET, or when its user is deleted).</summary>
    public void End(bool mayBeDefault)
    {
        User = users.Default;
        _isDone = mayBeDefault && !users.RequireLogin;
    }
}
