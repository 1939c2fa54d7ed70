// What a client sends to log in. Immutable.
namespace Garnet.Server.Modules;

/// <summary>The arguments of AUTH, or of HELLO with AUTH.</summary>
/// <param name="UserName">The user's name; "default" if only a password was sent.</param>
/// <param name="Password">The password.</param>
/// <param name="ClientId">The number of the connection.</param>
/// <param name="Address">The peer.</param>
internal sealed record LoginAttempt(byte[] UserName, byte[] Password, long ClientId, string Address);
