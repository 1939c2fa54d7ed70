// The user of a client. Part of a ClientSession: written by its thread or while no command runs, read by others for CLIENT LIST.
namespace Garnet.Engine.Execution;

/// <summary>The user whose rules apply to a client, and whether it still has to log in.</summary>
internal struct ClientLogin(LoginRules rules)
{
    private bool _isDone = !rules.RequireLogin;

    /// <summary>
    /// The user whose rules apply, the default user before a login; null for callers that may do anything, inside the process.
    /// </summary>
    public ClientUser? CurrentUser { get; set; } = rules.DefaultUser;

    /// <summary>
    /// True while the client must still authenticate; a client that has not done so is admitted when the password is removed.
    /// </summary>
    public readonly bool IsRequired => !_isDone && rules.RequireLogin;

    /// <summary>Whether the user's rules have to be checked.</summary>
    public readonly bool IsRestricted => CurrentUser is { IsRestricted: true };

    /// <summary>Logs the client in; null for a caller inside the process.</summary>
    public void Begin(ClientUser? user)
    {
        CurrentUser = user;
        _isDone = true;
    }

    /// <summary>Makes the client a new connection's user again (RESET, or when its user is deleted).</summary>
    public void End(bool mayBeDefault)
    {
        CurrentUser = rules.DefaultUser;
        _isDone = mayBeDefault && !rules.RequireLogin;
    }
}
