// The word help in a session. One thread.
using System.Text;
using Garnet.Cli.Output;

namespace Garnet.Cli.Interactive;

/// <summary>Explains commands, groups of commands and the session itself.</summary>
/// <param name="catalog">The commands.</param>
/// <param name="output">Takes the text.</param>
/// <param name="hasColors">Whether colours are shown.</param>
internal sealed class HelpPrinter(CommandCatalog catalog, IOutput output, bool hasColors)
{
    private const string General = """
        help @<group>   commands of a group, such as @string or @hash
        help <command>  what a command does, and its arguments
        help <Tab>      topics one after the other
        :set hints      show arguments while typing (:set nohints does not)
        connect <host> <port>, clear, quit
        <count> <command>  repeats a command

        Ctrl+R searches the history, Tab completes, Ctrl+C gives a line up, Ctrl+D ends the session.

        """;

    /// <summary>Prints help.</summary>
    /// <param name="words">What follows the word help.</param>
    public void Print(string[] words)
    {
        if (words.Length == 0)
        {
            Write(General);
            return;
        }

        bool isGroup = words[0].StartsWith('@');
        var text = new StringBuilder();
        foreach (CommandDoc command in catalog.Commands)
        {
            if (isGroup ? command.Group.Equals(words[0][1..], StringComparison.OrdinalIgnoreCase) : IsNamed(command, words))
                Append(text, command, withGroup: !isGroup);
        }

        Write(text.Length > 0 ? text.Append('\n').ToString() : $"There is no help about '{string.Join(' ', words)}'.\n");
    }

    private static bool IsNamed(CommandDoc command, string[] words)
    {
        if (words.Length > command.Words.Length)
            return false;
        for (int i = 0; i < words.Length; i++)
        {
            if (!command.Words[i].Equals(words[i], StringComparison.OrdinalIgnoreCase))
                return false;
        }

        return true;
    }

    private void Append(StringBuilder text, CommandDoc command, bool withGroup)
    {
        text.Append("\n  ").Append(Styled("1", command.Name)).Append(' ').Append(Styled("90", ArgumentHint.Of(command.Arguments)));
        text.Append("\n  ").Append(Styled("33", "summary:")).Append(' ').Append(Safe(command.Summary));
        text.Append("\n  ").Append(Styled("33", "since:")).Append(' ').Append(Safe(command.Since)).Append('\n');
        if (withGroup)
            text.Append("  ").Append(Styled("33", "group:")).Append(' ').Append(Safe(command.Group)).Append('\n');
    }

    private string Styled(string style, string text) => hasColors ? $"\u001b[{style}m{Safe(text)}\u001b[0m" : Safe(text);

    // The server's words.
    private static string Safe(string text)
    {
        var safe = new ByteText(showsControls: true);
        safe.AppendValue(Encoding.UTF8.GetBytes(text));
        return Encoding.UTF8.GetString(safe.Written);
    }

    private void Write(string text) => output.Write(Encoding.UTF8.GetBytes(text));
}
