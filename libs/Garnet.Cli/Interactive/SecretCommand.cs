// Commands that hold passwords. Pure functions.
namespace Garnet.Cli.Interactive;

/// <summary>Recognizes them, so that they are not kept on disk.</summary>
internal static class SecretCommand
{
    private static readonly string[] SecretSettings =
    [
        "requirepass",
        "masterauth",
        "masteruser",
        "primaryauth",
        "primaryuser",
        "tls-key-file-pass",
        "tls-client-key-file-pass",
    ];

    private static readonly string[] SentinelSecrets = ["auth-pass", "auth-user", "sentinel-pass", "sentinel-user"];

    /// <summary>Whether a line holds a password, or may: a line that cannot be read is taken for one where a word says so.</summary>
    public static bool Is(string line)
    {
        string[] words = line.ToLowerInvariant().Split([' ', '\t', '\n', '\v', '\f', '"', '\''], StringSplitOptions.RemoveEmptyEntries);
        int start = words.Length > 0 && long.TryParse(words[0], out _) ? 1 : 0;
        bool hasSeveralLines = line.Contains('\n', StringComparison.Ordinal);
        for (int i = start; i < words.Length; i++)
        {
            // Each line of a paste may be a command.
            bool mayBegin = i == start || hasSeveralLines;
            if (mayBegin && HasSecret(words.AsSpan(i)))
                return true;
        }

        return false;
    }

    private static bool HasSecret(ReadOnlySpan<string> words) =>
        words[0] switch
        {
            "auth" => true,
            "acl" => words.Length > 1 && words[1] is "setuser" or "deluser" or "getuser",
            "config" => words.Length > 2 && words[1] == "set" && ContainsAny(words, SecretSettings),
            "hello" => words.Contains("auth"),
            "migrate" => words.Contains("auth") || words.Contains("auth2"),
            "sentinel" => ContainsAny(words, SentinelSecrets),
            _ => false,
        };

    private static bool ContainsAny(ReadOnlySpan<string> words, string[] secrets)
    {
        foreach (string word in words)
        {
            if (Array.IndexOf(secrets, word) >= 0)
                return true;
        }

        return false;
    }
}
