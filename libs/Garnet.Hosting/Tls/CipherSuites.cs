// The words of tls-ciphers and tls-ciphersuites. Pure functions, any thread.
using System.Net.Security;
using Garnet.Store;

namespace Garnet.Hosting.Tls;

/// <summary>
/// Knows the suites by OpenSSL's names and by their registered ones. OpenSSL's language of classes and exclusions (<c>HIGH:!aNULL</c>) is
/// not supported: .NET takes individual suites. Suites that a .NET server cannot negotiate (DHE) and insecure ones are left
/// out.
/// </summary>
internal static class CipherSuites
{
    // In the order of preference, which also holds where only the other version's suites are named.
    private static readonly (string Name, TlsCipherSuite Suite)[] Tls13 =
    [
        ("TLS_AES_256_GCM_SHA384", TlsCipherSuite.TLS_AES_256_GCM_SHA384),
        ("TLS_CHACHA20_POLY1305_SHA256", TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256),
        ("TLS_AES_128_GCM_SHA256", TlsCipherSuite.TLS_AES_128_GCM_SHA256),
    ];

    private static readonly (string Name, TlsCipherSuite Suite)[] Tls12 =
    [
        ("ECDHE-ECDSA-AES256-GCM-SHA384", TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384),
        ("ECDHE-RSA-AES256-GCM-SHA384", TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
        ("ECDHE-ECDSA-AES128-GCM-SHA256", TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256),
        ("ECDHE-RSA-AES128-GCM-SHA256", TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
        ("ECDHE-RSA-CHACHA20-POLY1305", TlsCipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
        ("ECDHE-ECDSA-AES256-SHA384", TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384),
        ("ECDHE-RSA-AES256-SHA384", TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384),
        ("ECDHE-ECDSA-AES128-SHA256", TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256),
        ("ECDHE-RSA-AES128-SHA256", TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256),
    ];

    /// <summary>
    /// The suites that two texts name, those of TLS 1.3 first; null when they name none, which leaves the choice to the system's library.
    /// Where one text is empty, its version has every suite known here.
    /// </summary>
    /// <exception cref="OptionException">A word names no suite, or the system takes no lists of them.</exception>
    public static CipherSuitesPolicy? Parse(string ciphers, string cipherSuites)
    {
        List<TlsCipherSuite> older = Named("tls-ciphers", ciphers, Tls12);
        List<TlsCipherSuite> newer = Named("tls-ciphersuites", cipherSuites, Tls13);
        if (older.Count == 0 && newer.Count == 0)
            return null;
        if (HostSystem.IsWindows || OperatingSystem.IsAndroid())
        {
            throw new OptionException(
                $"{(older.Count > 0 ? "tls-ciphers" : "tls-ciphersuites")}: here the system alone says which cipher suites are used: leave it empty and set them there"
            );
        }

        List<TlsCipherSuite> wanted = [.. newer.Count > 0 ? newer : All(Tls13), .. older.Count > 0 ? older : All(Tls12)];
        var policy = new CipherSuitesPolicy(wanted);
        // The library silently ignores suites that it lacks, which must not happen to suites named by an option.
        foreach (TlsCipherSuite lacking in older.Concat(newer).Except(policy.AllowedCipherSuites))
        {
            throw new OptionException(
                $"{(older.Contains(lacking) ? "tls-ciphers" : "tls-ciphersuites")} {lacking}: this system's TLS library does not have it"
            );
        }

        return policy;
    }

    private static List<TlsCipherSuite> Named(string option, string text, (string Name, TlsCipherSuite Suite)[] known)
    {
        var suites = new List<TlsCipherSuite>();
        foreach (string word in text.Split([':', ',', ' '], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            int index = Array.FindIndex(known, entry => IsName(word, entry.Name) || IsName(word, entry.Suite.ToString()));
            if (index < 0)
            {
                throw new OptionException(
                    $"{option} {word}: not the name of a cipher suite (allowed, joined by ':': {string.Join(", ", known.Select(static entry => entry.Name))})"
                );
            }

            suites.Add(known[index].Suite);
        }

        return suites;
    }

    private static bool IsName(string word, string name) => word.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static IEnumerable<TlsCipherSuite> All((string Name, TlsCipherSuite Suite)[] known) =>
        known.Select(static entry => entry.Suite);
}
