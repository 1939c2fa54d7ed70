// The words of a line that is being typed. Pure functions.
using System.Text;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Interactive;

/// <summary>Splits what may be unfinished.</summary>
internal static class LineWords
{
    /// <summary>The words, as far as their quotes are closed.</summary>
    /// <param name="line">The line.</param>
    /// <param name="endsInSpace">Whether the last word is finished.</param>
    public static string[] Split(string line, out bool endsInSpace)
    {
        endsInSpace = line.Length > 0 && char.IsWhiteSpace(line[^1]);
        byte[][]? words = ArgumentSplitter.TrySplit(Encoding.UTF8.GetBytes(line));
        return words is null ? [] : Array.ConvertAll(words, Encoding.UTF8.GetString);
    }

    /// <summary>The lines of a text: ends of lines inside quotes belong to a word.</summary>
    public static IEnumerable<string> Lines(string text)
    {
        int start = 0;
        for (int i = 0; i < text.Length; i++)
        {
            if (text[i] != '\n' || HasOpenQuote(text[start..i]))
                continue;
            yield return text[start..i];
            start = i + 1;
        }

        yield return text[start..];
    }

    /// <summary>Whether a quote is open at the end.</summary>
    public static bool HasOpenQuote(string line) => ArgumentSplitter.TrySplit(Encoding.UTF8.GetBytes(line)) is null;
}
