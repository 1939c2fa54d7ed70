// What a client sends to log in. Immutable.
using System.Text;
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>The arguments of AUTH, or of HELLO with AUTH. They are secret: do not log them.</summary>
public sealed class AuthenticationRequest
{
    private readonly LoginAttempt _attempt;

    internal AuthenticationRequest(LoginAttempt attempt) => _attempt = attempt;

    /// <summary>The name, as UTF-8; "default" if the client has sent only a password. There may be no such user.</summary>
    public string UserName => Encoding.UTF8.GetString(_attempt.UserName);

    /// <summary>What was sent as the password.</summary>
    public ReadOnlyMemory<byte> Password => _attempt.Password;

    /// <summary>The number of the connection, as CLIENT ID replies it.</summary>
    public long ClientId => _attempt.ClientId;

    /// <summary>The peer as <c>ip:port</c>, IPv6 in brackets, or <c>path:0</c> for a Unix socket.</summary>
    public string ClientAddress => _attempt.Address;
}
