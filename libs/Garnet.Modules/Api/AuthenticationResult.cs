// What a module says to a login. Immutable.
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>The answer of an authentication hook.</summary>
public readonly struct AuthenticationResult
{
    private AuthenticationResult(LoginVerdict verdict, string text) => Decision = new LoginDecision(verdict, text);

    /// <summary>Leaves the decision to the next module, or at last to the password; the default.</summary>
    public static AuthenticationResult PassOn => default;

    internal LoginDecision Decision { get; }

    /// <summary>Logs the client in, with the rules of a user. The login is refused if this one does not exist or is disabled.</summary>
    /// <param name="userName">The user, who need not be the one whom the client has named.</param>
    public static AuthenticationResult Allow(string userName)
    {
        ArgumentException.ThrowIfNullOrEmpty(userName);
        return new AuthenticationResult(LoginVerdict.Allow, userName);
    }

    /// <summary>Refuses the login, which is noted in ACL LOG and counted.</summary>
    /// <param name="error">The reply, its code first, as in <c>ERR token expired</c>; null for the usual one, WRONGPASS.</param>
    public static AuthenticationResult Deny(string? error = null) => new(LoginVerdict.Deny, error ?? "");
}
