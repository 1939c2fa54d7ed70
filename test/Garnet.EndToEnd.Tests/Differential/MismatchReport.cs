// Formats mismatches as a test's failure message. One thread.
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Groups mismatches by command and shows one of each group in full.</summary>
internal static class MismatchReport
{
    private const int MaxHistoryShown = 30;

    /// <summary>The number of mismatches per command, then for each command the shortest history that reproduces one.</summary>
    /// <param name="mismatches">All mismatches.</param>
    /// <param name="shrink">Shortens one of them.</param>
    public static string Write(IReadOnlyCollection<Mismatch> mismatches, Func<Mismatch, Mismatch> shrink)
    {
        IGrouping<string, Mismatch>[] groups = mismatches
            .GroupBy(mismatch => mismatch.Group)
            .OrderByDescending(group => group.Count())
            .ToArray();
        var report = new StringBuilder();
        report.AppendLine(
            $"{mismatches.Count} episodes differ: {string.Join(", ", groups.Select(group => $"{group.Key} {group.Count()}"))}"
        );
        foreach (IGrouping<string, Mismatch> group in groups)
            Append(report, shrink(group.MinBy(mismatch => mismatch.Index)!));
        return report.ToString();
    }

    private static void Append(StringBuilder report, Mismatch mismatch)
    {
        Episode episode = mismatch.Episode;
        report.AppendLine();
        report.AppendLine(
            $"== {mismatch.Group}: family {episode.Family}, seed {episode.Seed}, RESP{episode.Protocol}{(episode.Pipelined ? ", pipelined" : "")}"
        );
        int first = Math.Max(0, mismatch.Index + 1 - MaxHistoryShown);
        if (first > 0)
            report.AppendLine($"   ... {first} commands before");
        for (int i = first; i <= mismatch.Index; i++)
            report.AppendLine($"   {episode.Commands[i]}");
        report.AppendLine($"   expected {RespText.Reply(mismatch.Expected)}");
        report.AppendLine($"   actual   {RespText.Reply(mismatch.Actual)}");
    }
}
