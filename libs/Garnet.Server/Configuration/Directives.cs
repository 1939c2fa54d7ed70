// Lines of a configuration file that are no options. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>
/// <c>include file</c>, <c>user name rules</c>, <c>role name rules</c>, <c>rename-command name name</c>, the options of modules, whose
/// names have a dot, and options of other versions that are passed over. On the command line they begin with <c>--</c>.
/// </summary>
internal static class Directives
{
    public const string Include = "include";
    public const string User = "user";
    public const string Role = "role";
    public const string RenameCommand = "rename-command";
    public const string Sentinel = "sentinel";

    private static readonly string[] Names = [Include, User, Role, RenameCommand, Sentinel];

    /// <summary>Whether a name in any letter case is that of a directive.</summary>
    public static bool Contains(string name) =>
        Names.Contains(name, StringComparer.OrdinalIgnoreCase)
        || RetiredOptions.Contains(name)
        || name.Contains('.', StringComparison.Ordinal);

    /// <summary>How many words follow a directive on the command line; null for all up to the next option.</summary>
    public static int? WordCount(string name) =>
        name.ToLowerInvariant() switch
        {
            Include => 1,
            RenameCommand => 2,
            _ => null,
        };
}
