// The names that clients use for commands instead of their own. Pure functions, any thread.
using Garnet.Engine.Execution;
using Garnet.Server.Composition;

namespace Garnet.Server.Startup;

/// <summary>
/// Checks <see cref="GarnetOptions.RenamedCommands"/>: <c>rename-command CONFIG secret</c>, or <c>rename-command CONFIG ""</c> for a command
/// that no one may call.
/// </summary>
internal static class CommandNames
{
    private static readonly Lazy<HashSet<string>> Known = new(static () =>
        new(CommandFamilies.All.Select(static command => command.Name), StringComparer.OrdinalIgnoreCase)
    );

    /// <summary>Adds a command's new name; returns what is wrong with it, or null.</summary>
    public static string? TryAdd(GarnetOptions options, string command, string name)
    {
        if (!Known.Value.Contains(command) || options.RenamedCommands.ContainsKey(command.ToLowerInvariant()))
            return "No such command in rename-command";
        if (FindProblem(name) is { } problem)
            return problem;
        options.RenamedCommands = new Dictionary<string, string>(options.RenamedCommands, StringComparer.OrdinalIgnoreCase)
        {
            [command.ToLowerInvariant()] = name,
        };
        return null;
    }

    /// <summary>What is wrong with all new names together; null when nothing.</summary>
    public static string? FindProblem(IReadOnlyDictionary<string, string> renamed)
    {
        HashSet<string> taken = new(Known.Value, StringComparer.OrdinalIgnoreCase);
        foreach ((string command, string name) in renamed)
        {
            if (!taken.Remove(command))
                return $"{command}: No such command in rename-command";
            if (FindProblem(name) is { } problem)
                return $"{command} {name}: {problem}";
        }

        foreach ((string command, string name) in renamed)
        {
            if (name.Length > 0 && !taken.Add(name))
                return $"{command} {name}: Target command name already exists";
        }

        return null;
    }

    private static string? FindProblem(string name) =>
        name.Length > CommandTable.MaxNewNameLength ? $"a name has at most {CommandTable.MaxNewNameLength} characters"
        : name.AsSpan().ContainsAnyExceptInRange('!', '~') ? "a name consists of printable ASCII characters"
        : null;
}
