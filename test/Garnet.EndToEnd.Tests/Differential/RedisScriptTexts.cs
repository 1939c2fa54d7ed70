// Errors of scripts in the words of Redis 7.0 and of Valkey 9.1. Stateless; any thread.
using System.Text.RegularExpressions;

namespace Garnet.EndToEnd.Tests.Differential;

internal static partial class RedisScriptTexts
{
    /// <summary>A reply's text with Redis's words for scripts replaced by Valkey's; equal texts stand for equal replies.</summary>
    public static string AsValkey(string text)
    {
        text = text.Replace("This Redis command", "This Valkey command", StringComparison.Ordinal)
            .Replace("Lua redis lib command arguments", "Command arguments", StringComparison.Ordinal)
            .Replace("this redis lib call", "this call", StringComparison.Ordinal)
            .Replace("Unknown Redis command called", "Unknown command called", StringComparison.Ordinal)
            .Replace("calling Redis command", "calling command", StringComparison.Ordinal)
            .Replace("No matching script. Please use EVAL.", "No matching script.", StringComparison.Ordinal);
        text = ServerFunction().Replace(text, "server.$1");
        text = ErrorOfRegistration().Replace(text, "Error registering functions: ");
        return NameOfScript().Replace(text, "script: on @");
    }

    [GeneratedRegex(@"\bredis\.(\w+)")]
    private static partial Regex ServerFunction();

    [GeneratedRegex(@"script: \w+, on @")]
    private static partial Regex NameOfScript();

    // Before Redis 7.2 the position, since then ERR.
    [GeneratedRegex(@"Error registering functions: (ERR |@user_function: \d+: )?")]
    private static partial Regex ErrorOfRegistration();
}
