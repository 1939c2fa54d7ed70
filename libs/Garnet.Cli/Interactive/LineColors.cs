// Colours for the line that is being typed. One thread.
using System.Globalization;

namespace Garnet.Cli.Interactive;

/// <summary>Known commands, strings in quotes and numbers are told apart.</summary>
/// <param name="catalog">The commands.</param>
internal sealed class LineColors(CommandCatalog catalog)
{
    private const string Command = "\u001b[1;36m";
    private const string Quoted = "\u001b[32m";
    private const string Number = "\u001b[33m";

    /// <summary>A style for each character; null for none.</summary>
    public string?[] Of(string text)
    {
        string?[] styles = new string?[text.Length];
        int word = 0;
        for (int i = 0; i < text.Length; )
        {
            if (char.IsWhiteSpace(text[i]))
            {
                word = text[i] == '\n' ? 0 : word;
                i++;
                continue;
            }

            int end = WordEnd(text, i);
            if (StyleOf(text, i, end, word) is { } style)
                styles.AsSpan(i, end - i).Fill(style);
            i = end;
            word++;
        }

        return styles;
    }

    private string? StyleOf(string text, int start, int end, int word)
    {
        if (text[start] is '"' or '\'')
            return Quoted;
        string value = text[start..end];
        if (word == 0 && catalog.Find([value]) is not null)
            return Command;
        if (word == 1 && IsSubcommand(text[..end]))
            return Command;
        return double.TryParse(value, CultureInfo.InvariantCulture, out _) ? Number : null;
    }

    private bool IsSubcommand(string text)
    {
        string[] words = text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        return catalog.Find(words.AsSpan(^2..)) is { Words.Length: 2 };
    }

    private static int WordEnd(string text, int start)
    {
        char quote = text[start] is '"' or '\'' ? text[start] : '\0';
        for (int i = start + 1; i < text.Length; i++)
        {
            if (quote != '\0' && text[i] == '\\')
                i++;
            else if (quote != '\0' ? text[i] == quote : char.IsWhiteSpace(text[i]))
                return quote != '\0' ? i + 1 : i;
        }

        return text.Length;
    }
}
