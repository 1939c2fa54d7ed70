// An option that says which clients may call a command. Immutable.

namespace Garnet.Engine.Requests;

/// <summary>The option of a command with <see cref="CommandFlags.Protected"/>.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Commands">The name of the command or of its container, as the error shows it.</param>
/// <param name="Access">Reads its value.</param>
internal sealed record ProtectingOption(string Name, string Commands, Func<EngineSettings, CommandAccess> Access)
{
    /// <summary>That of DEBUG.</summary>
    public static readonly ProtectingOption Debug = new("enable-debug-command", "DEBUG", static settings => settings.DebugAccess);

    /// <summary>That of the subcommands of MODULE that load and unload.</summary>
    public static readonly ProtectingOption Module = new("enable-module-command", "MODULE", static settings => settings.ModuleAccess);

    /// <summary>The error for other clients.</summary>
    public string Error =>
        $"ERR {Commands} command not allowed. If the {Name} option is set to \"local\", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.";
}
