// The names of environment variables that set options. Stateless; any thread.
using Garnet.Store;

namespace Garnet.Server.Configuration;

/// <summary><c>GARNET_MAXMEMORY_POLICY</c> is <c>maxmemory-policy</c>.</summary>
internal static class EnvironmentNames
{
    private const string Prefix = "GARNET_";
    private const string PortOfService = "_PORT_";

    /// <summary>Variables with the prefix that tests read; a server that a test starts inherits them.</summary>
    public static readonly string[] OfTests =
    [
        "GARNET_SEED",
        "GARNET_FUZZ_SECONDS",
        "GARNET_FUZZ_ROUNDS",
        "GARNET_FAULTS_FULL",
        "GARNET_FAULT_ROUNDS",
        "GARNET_SOAK_SECONDS",
        "GARNET_COLD_VALUES",
        "GARNET_VALKEY_SERVER",
        "GARNET_RECORD",
        "GARNET_WRITE_DOCS",
        "GARNET_SCREENSHOTS",
        "GARNET_RECORDED",
        "GARNET_REQUIRE_PEERS",
        "GARNET_PUBLISHED",
        "GARNET_NATIVE",
        "GARNET_WINDOWS",
        "GARNET_CRASH_TARGET",
        "GARNET_PACKAGES",
    ];

    /// <summary>Whether a variable may be one of this server's.</summary>
    public static bool HasPrefix(string variable) => variable.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>The option's name that a variable has.</summary>
    public static string OptionOf(string variable) => variable[Prefix.Length..].Replace('_', '-').ToLowerInvariant();

    /// <summary>
    /// Whether a variable is one of those that Kubernetes sets in every pod for a service whose name begins with "garnet", such as
    /// <c>GARNET_PORT=tcp://address:port</c>.
    /// </summary>
    public static bool IsServiceLink(string variable, string value)
    {
        int port = variable.IndexOf(PortOfService, StringComparison.Ordinal) + PortOfService.Length;
        return variable.EndsWith("_SERVICE_HOST", StringComparison.Ordinal)
            || variable.Contains("_SERVICE_PORT", StringComparison.Ordinal)
            || (variable.EndsWith("_PORT", StringComparison.Ordinal) && value.Contains("://", StringComparison.Ordinal))
            || (port >= PortOfService.Length && port < variable.Length && char.IsAsciiDigit(variable[port]));
    }

    /// <summary>What to say of a variable that is no option's; null when it is known otherwise.</summary>
    public static string? FindProblem(string variable)
    {
        if (variable == HostSystem.Variable || OfTests.Contains(variable))
            return null;
        string near = NearestOption.Find(OptionOf(variable)) is { } meant
            ? $"; is {Prefix}{meant.ToUpperInvariant().Replace('-', '_')} meant?"
            : "";
        return $"{variable} has no effect, as there is no such option{near}";
    }
}
