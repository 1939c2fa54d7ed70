// The words of tls-protocols. Pure functions, any thread.
using System.Security.Authentication;

namespace Garnet.Hosting.Tls;

/// <summary>Knows the versions of TLS that are still safe; the older ones have names in Valkey, too, and are refused here.</summary>
internal static class TlsProtocolNames
{
    /// <summary>The versions that a text names; all when it names none.</summary>
    /// <exception cref="OptionException">A word is none of them.</exception>
    public static SslProtocols Parse(string text)
    {
        SslProtocols protocols = SslProtocols.None;
        foreach (string word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            protocols |= word.ToUpperInvariant() switch
            {
                "TLSV1.2" => SslProtocols.Tls12,
                "TLSV1.3" => SslProtocols.Tls13,
                _ => throw new OptionException($"tls-protocols {word}: not supported (allowed: TLSv1.2, TLSv1.3, or both in one text)"),
            };
        }

        return protocols == SslProtocols.None ? SslProtocols.Tls12 | SslProtocols.Tls13 : protocols;
    }
}
