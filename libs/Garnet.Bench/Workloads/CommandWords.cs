// Splits a command line into words. Pure functions.
using System.Text;

namespace Garnet.Bench.Workloads;

/// <summary>Words are separated by blanks; quotes hold blanks together, and in double quotes <c>\"</c> and <c>\\</c> stand for themselves.</summary>
internal static class CommandWords
{
    /// <summary>The words of a text.</summary>
    /// <exception cref="BenchException">A quote is not closed, or there is no word.</exception>
    public static IReadOnlyList<string> Split(string text)
    {
        var words = new List<string>();
        int at = 0;
        while (SkipBlanks(text, ref at))
            words.Add(Take(text, ref at));
        return words.Count > 0 ? words : throw new BenchException("a command is empty; it begins with a name, such as GET __key__");
    }

    private static bool SkipBlanks(string text, ref int at)
    {
        while (at < text.Length && char.IsWhiteSpace(text[at]))
            at++;
        return at < text.Length;
    }

    private static string Take(string text, ref int at)
    {
        var word = new StringBuilder();
        while (at < text.Length && !char.IsWhiteSpace(text[at]))
        {
            if (text[at] is '"' or '\'')
                TakeQuoted(text, ref at, word);
            else
                word.Append(text[at++]);
        }

        return word.ToString();
    }

    private static void TakeQuoted(string text, ref int at, StringBuilder word)
    {
        char quote = text[at++];
        while (at < text.Length && text[at] != quote)
        {
            if (quote == '"' && text[at] == '\\' && at + 1 < text.Length && text[at + 1] is '"' or '\\')
                at++;
            word.Append(text[at++]);
        }

        if (at++ >= text.Length)
            throw new BenchException($"a quote is not closed in the command {text}");
    }
}
