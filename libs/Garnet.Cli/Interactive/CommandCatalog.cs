// What the server says about its commands. One thread.
using Garnet.Cli.Connection;
using Garnet.Client;

namespace Garnet.Cli.Interactive;

/// <summary>The commands of COMMAND DOCS, for completion, hints and help. Empty where the server does not say.</summary>
internal sealed class CommandCatalog
{
    private List<CommandDoc> _commands = [];

    /// <summary>All, by name.</summary>
    public IReadOnlyList<CommandDoc> Commands => _commands;

    /// <summary>Asks the server.</summary>
    /// <returns>Whether it answered.</returns>
    public bool Load(CliConnection connection)
    {
        RespValue reply = connection.Call("COMMAND", "DOCS");
        if (reply.IsError)
            return false;
        var commands = new List<CommandDoc>();
        for (int i = 0; i + 1 < reply.Children.Count; i += 2)
            Add(commands, [Upper(reply.Children[i])], reply.Children[i + 1]);
        commands.Sort(static (one, other) => string.CompareOrdinal(one.Name, other.Name));
        _commands = commands;
        return true;
    }

    /// <summary>The command that the words begin with, by the longest name; or null.</summary>
    public CommandDoc? Find(ReadOnlySpan<string> words)
    {
        CommandDoc? found = null;
        foreach (CommandDoc each in _commands)
        {
            if (each.Words.Length > (found?.Words.Length ?? 0) && StartsWith(words, each.Words))
                found = each;
        }

        return found;
    }

    private static bool StartsWith(ReadOnlySpan<string> words, string[] name)
    {
        if (words.Length < name.Length)
            return false;
        for (int i = 0; i < name.Length; i++)
        {
            if (!words[i].Equals(name[i], StringComparison.OrdinalIgnoreCase))
                return false;
        }

        return true;
    }

    private static void Add(List<CommandDoc> commands, string[] words, RespValue map)
    {
        var fields = new DocFields(map);
        IReadOnlyList<ArgumentDoc> arguments = fields.Value("arguments") is { } list ? ArgumentDoc.ReadAll(list) : [];
        commands.Add(
            new CommandDoc(words, fields.Text("summary") ?? "", fields.Text("since") ?? "", fields.Text("group") ?? "", arguments)
        );
        if (fields.Value("subcommands") is not { } parts)
            return;
        for (int i = 0; i + 1 < parts.Children.Count; i += 2)
        {
            // container|subcommand
            string name = Upper(parts.Children[i]);
            Add(commands, [.. words, name[(name.IndexOf('|', StringComparison.Ordinal) + 1)..]], parts.Children[i + 1]);
        }
    }

    private static string Upper(RespValue name) => name.TryGetString(out string? text) ? text.ToUpperInvariant() : "";
}
