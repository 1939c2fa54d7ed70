// Guesses the option that a mistyped name means. Stateless; any thread.
using Garnet.Server.Configuration;

namespace Garnet.Hosting;

/// <summary>Compares by single letters that are missing, too many or wrong (Levenshtein's distance).</summary>
internal static class NearestOption
{
    private const int MostMistakes = 2;

    /// <summary>The name that is nearest; null when none is near.</summary>
    public static string? Find(string name)
    {
        string wanted = name.ToLowerInvariant();
        var (best, mistakes) = OptionTable.Names.Select(known => (known.Key, Distance(wanted, known.Key))).MinBy(static pair => pair.Item2);
        return mistakes <= Math.Min(MostMistakes, wanted.Length / 3) ? best : null;
    }

    private static int Distance(string one, string other)
    {
        int[] row = [.. Enumerable.Range(0, other.Length + 1)];
        for (int i = 1; i <= one.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.Length; j++)
            {
                int replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, 1 + Math.Min(row[j], row[j - 1]));
            }
        }

        return row[^1];
    }
}
