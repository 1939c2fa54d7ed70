// The certificates in use, for INFO. Immutable.
namespace Garnet.Server.Basics;

/// <summary>
/// Serial numbers and expiry dates (UTC) of the server's certificate and of the authority whose certificate expires first; null where there
/// is none.
/// </summary>
internal sealed record TlsCertificates(string ServerSerial, DateTime ServerEnd, string? AuthoritySerial, DateTime? AuthorityEnd);
