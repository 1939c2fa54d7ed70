// Text in columns. Pure functions.
using System.Text;

namespace Garnet.Bench.Results;

/// <summary>Lays out cells: the first column begins at the left, the others, which are numbers, end at the right.</summary>
internal static class TextTable
{
    private const string Gap = "  ";

    /// <summary>Appends rows of equal length; the first is the heading.</summary>
    public static void Append(StringBuilder target, IReadOnlyList<string[]> rows)
    {
        int[] widths = [.. Enumerable.Range(0, rows[0].Length).Select(column => rows.Max(row => row[column].Length))];
        foreach (string[] row in rows)
        {
            var line = new StringBuilder(row[0].PadRight(widths[0]));
            for (int column = 1; column < row.Length; column++)
                line.Append(Gap).Append(row[column].PadLeft(widths[column]));
            target.AppendLine(line.ToString().TrimEnd());
        }
    }
}
