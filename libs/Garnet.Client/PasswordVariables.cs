// Where the environment has a password. Pure functions.
namespace Garnet.Client;

/// <summary>The variables that clients read; other users of a machine do not see them, as they see a command line.</summary>
internal static class PasswordVariables
{
    /// <summary>The names for a message or a help.</summary>
    public const string Names = "GARNET_AUTH, REDISCLI_AUTH or VALKEYCLI_AUTH";

    /// <summary>The password, or null.</summary>
    /// <param name="variables">Gives a variable of the environment, or null.</param>
    public static string? Find(Func<string, string?> variables) =>
        variables("GARNET_AUTH") ?? variables("REDISCLI_AUTH") ?? variables("VALKEYCLI_AUTH");
}
