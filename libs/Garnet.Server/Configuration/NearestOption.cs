// Guesses the option that a mistyped name means. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>Counts letters that are missing, too many, wrong, or in each other's place (the optimal string alignment distance).</summary>
internal static class NearestOption
{
    private const int MaxMistakes = 2;

    /// <summary>The name that is nearest, or that of the option whose property has this name; null when none is near.</summary>
    public static string? Find(string name)
    {
        string wanted = name.ToLowerInvariant();
        string property = wanted.Replace("-", "", StringComparison.Ordinal);
        if (OptionTable.All.FirstOrDefault(option => option.Property.Equals(property, StringComparison.OrdinalIgnoreCase)) is { } option)
            return option.Name;
        return Among(OptionTable.Names.Select(static known => known.Key), wanted);
    }

    /// <summary>The one of some names that is nearest; null when none is near.</summary>
    public static string? Among(IEnumerable<string> names, string wanted)
    {
        (string? best, int mistakes) = names
            .Select(known => (known, Distance(wanted, known)))
            .DefaultIfEmpty((null!, int.MaxValue))
            .MinBy(static pair => pair.Item2);
        return mistakes <= Math.Min(MaxMistakes, wanted.Length / 3) ? best : null;
    }

    private static int Distance(string one, string other)
    {
        int[,] distance = new int[one.Length + 1, other.Length + 1];
        for (int i = 0; i <= one.Length; i++)
            distance[i, 0] = i;
        for (int j = 0; j <= other.Length; j++)
            distance[0, j] = j;
        for (int i = 1; i <= one.Length; i++)
        {
            for (int j = 1; j <= other.Length; j++)
            {
                int replaced = distance[i - 1, j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
                int least = Math.Min(replaced, 1 + Math.Min(distance[i - 1, j], distance[i, j - 1]));
                bool isSwapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                distance[i, j] = isSwapped ? Math.Min(least, distance[i - 2, j - 2] + 1) : least;
            }
        }

        return distance[one.Length, other.Length];
    }
}
