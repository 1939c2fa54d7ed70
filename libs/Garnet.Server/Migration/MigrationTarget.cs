// Where MIGRATE sends keys. Immutable.
namespace Garnet.Server.Migration;

/// <summary>
/// A server and whom to log in as there; text has one character per byte. Connections are used again only for an equal target, so that no
/// client uses the login of another.
/// </summary>
/// <param name="Host">Name or address.</param>
/// <param name="Port">The port; -1 if the argument is no port.</param>
/// <param name="User">The user; null for the default user.</param>
/// <param name="Password">The password; null to send no AUTH.</param>
internal sealed record MigrationTarget(string Host, int Port, string? User, string? Password);
