// Compares what clients received with what a reference sent them. Stateless.
using System.Text;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential.Messages;

/// <summary>Runs a history, and fails at the first command after which the clients received something else.</summary>
internal static class MessageComparison
{
    /// <summary>Returns the number of commands.</summary>
    public static int Compare(MessageRunner runner, Episode episode, byte[][] expected)
    {
        byte[][] actual = runner.Run(episode);
        for (int i = 0; i < expected.Length; i++)
        {
            if (!expected[i].AsSpan().SequenceEqual(actual[i]))
                Assert.Fail(Describe(episode, i, expected[i], actual[i]));
        }

        return expected.Length;
    }

    private static string Describe(Episode episode, int step, byte[] expected, byte[] actual)
    {
        IEnumerable<string> history = episode.Commands.Take(step + 1).TakeLast(40).Select(static command => command.ToString());
        return $"seed {episode.Seed}, command {step}\n{string.Join('\n', history)}\nexpected\n{Text(expected)}\nactual\n{Text(actual)}";
    }

    private static string Text(byte[] bytes) =>
        Encoding.Latin1.GetString(bytes) is { Length: > 2000 } text ? text[..2000] : Encoding.Latin1.GetString(bytes);
}
