// Shrinks the history before a difference to what is needed to reproduce it. One thread; limited number of runs.
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Makes a mismatch short enough to read.</summary>
internal static class HistoryShrinker
{
    private const int MaxRuns = 150;

    /// <summary>Removes ever smaller pieces of the history while the last command's replies still differ.</summary>
    /// <param name="mismatch">The difference.</param>
    /// <param name="compare">Runs an episode on both sides and compares.</param>
    public static Mismatch Shrink(Mismatch mismatch, Func<Episode, Mismatch?> compare)
    {
        Mismatch smallest = mismatch;
        List<Command> history = [.. mismatch.Episode.Commands.Take(mismatch.Index + 1)];
        int runs = 0;
        for (int piece = history.Count / 2; piece > 0 && runs < MaxRuns; piece = piece == 1 ? 0 : piece / 2)
        {
            int start = 0;
            while (start + piece < history.Count && runs++ < MaxRuns)
            {
                List<Command> shorter = [.. history.Take(start), .. history.Skip(start + piece)];
                Mismatch? found = compare(mismatch.Episode.With(shorter));
                if (found is null || found.Group != mismatch.Group)
                {
                    start += piece;
                    continue;
                }

                smallest = found;
                history = [.. shorter.Take(found.Index + 1)];
            }
        }

        return smallest;
    }

    /// <summary>
    /// Without a reference to run again: keeps the commands that share an argument with the last one, directly or transitively.
    /// </summary>
    public static Mismatch Related(Mismatch mismatch)
    {
        var names = new HashSet<string>();
        var kept = new List<Command>();
        for (int i = mismatch.Index; i >= 0; i--)
        {
            Command command = mismatch.Episode.Commands[i];
            string[] arguments = [.. command.Arguments.Skip(1).Select(Encoding.Latin1.GetString)];
            bool broad =
                command.Name
                is "SELECT"
                    or "SWAPDB"
                    or "FLUSHDB"
                    or "FLUSHALL"
                    or "HELLO"
                    or "RESET"
                    or "MULTI"
                    or "EXEC"
                    or "DISCARD"
                    or "WATCH";
            if (i != mismatch.Index && !broad && !arguments.Any(names.Contains))
                continue;
            kept.Add(command);
            if (i == mismatch.Index)
                names.UnionWith(arguments);
        }

        kept.Reverse();
        return mismatch with { Episode = mismatch.Episode.With(kept), Index = kept.Count - 1 };
    }
}
