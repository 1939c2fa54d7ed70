// What INFO tells of the certificates in use. Immutable.
namespace Garnet.Server.Statistics;

/// <summary>
/// Serial numbers and ends of validity (UTC) of the server's certificate and of the authority whose certificate ends first; null where
/// there is none.
/// </summary>
public sealed record TlsCertificates(string ServerSerial, DateTime ServerEnd, string? AuthoritySerial, DateTime? AuthorityEnd);
