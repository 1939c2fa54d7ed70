// Compares the replies of a whole episode. Stateless; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

internal static class EpisodeComparison
{
    /// <summary>
    /// The first difference that is not a known one, or null. Keeps track of MULTI, so that each reply inside EXEC is compared as its
    /// command's reply.
    /// </summary>
    public static Mismatch? FirstMismatch(
        Episode episode,
        byte[][] expected,
        byte[][] actual,
        ComparisonClock clock,
        KnownDifference[] known
    )
    {
        var queued = new List<Command>[episode.Connections];
        for (int i = 0; i < queued.Length; i++)
            queued[i] = [];
        for (int i = 0; i < episode.Commands.Count; i++)
        {
            Command command = episode.Commands[i];
            List<Command> queue = queued[command.Connection];
            bool same =
                command.Name == "EXEC"
                    ? SameTransaction(queue, command, expected[i], actual[i], clock)
                    : ReplyComparer.Same(command, expected[i], actual[i], clock);
            if (!same && !KnownDifferences.Cover(known, command, expected[i], actual[i]))
                return new Mismatch(episode, i, expected[i], actual[i]);
            if (expected[i].AsSpan().SequenceEqual("+QUEUED\r\n"u8))
                queue.Add(command);
            else if (command.Name is "EXEC" or "DISCARD" or "RESET")
                queue.Clear();
        }

        return null;
    }

    private static bool SameTransaction(List<Command> queue, Command exec, byte[] expected, byte[] actual, ComparisonClock clock)
    {
        if (ReplyComparer.Same(exec, expected, actual, clock))
            return true;
        if (expected.Length == 0 || actual.Length == 0)
            return false;
        var some = RespNode.Parse(expected);
        var others = RespNode.Parse(actual);
        if (some.Type != '*' || others.Type != '*' || some.Children?.Length != queue.Count || others.Children?.Length != queue.Count)
            return false;
        return queue.Select((command, i) => ReplyComparer.Same(command, some.Children[i], others.Children[i], clock)).All(same => same);
    }
}
