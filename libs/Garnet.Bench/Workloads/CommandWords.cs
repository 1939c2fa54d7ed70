// Splits a command line into words. Pure functions.
using System.Text;
using Garnet.Client;

namespace Garnet.Bench.Workloads;

/// <summary>By the rules of <c>garnet cli</c>'s lines: see <see cref="ArgumentSplitter"/>.</summary>
internal static class CommandWords
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The words of a text.</summary>
    /// <exception cref="BenchException">A quote is not closed, or there is no word.</exception>
    public static IReadOnlyList<string> Split(string text)
    {
        byte[][] words =
            ArgumentSplitter.TrySplit(Encoding.UTF8.GetBytes(text))
            ?? throw new BenchException($"a quote is not closed in the command {text}");
        if (words.Length == 0)
            throw new BenchException("a command is empty; it begins with a name, such as GET __key__");
        try
        {
            return Array.ConvertAll(words, Strict.GetString);
        }
        catch (DecoderFallbackException e)
        {
            throw new BenchException($"the command {text} has bytes that are no UTF-8, of which templates are made", e);
        }
    }
}
