// Classes of events as the letters of notify-keyspace-events. Pure functions, any thread.
using System.Text;

namespace Garnet.Engine.Events;

/// <summary>Reads and writes the option's text.</summary>
internal static class KeyEventClassesText
{
    private const string Letters = "Ag$lshzxeKEtmdn";

    // In the order in which Valkey shows them. A stands for those up to New, which it hides.
    private static readonly (char Letter, KeyEventClasses Class)[] Selected =
    [
        ('g', KeyEventClasses.Generic),
        ('$', KeyEventClasses.String),
        ('l', KeyEventClasses.List),
        ('s', KeyEventClasses.Set),
        ('h', KeyEventClasses.Hash),
        ('z', KeyEventClasses.SortedSet),
        ('x', KeyEventClasses.Expired),
        ('e', KeyEventClasses.Evicted),
        ('t', KeyEventClasses.Stream),
        ('d', KeyEventClasses.Module),
        ('n', KeyEventClasses.New),
    ];

    private static readonly (char Letter, KeyEventClasses Class)[] Others =
    [
        ('K', KeyEventClasses.KeyspaceChannel),
        ('E', KeyEventClasses.KeyEventChannel),
        ('m', KeyEventClasses.Missed),
    ];

    /// <summary>Reads letters in any order; false for one that is none.</summary>
    public static bool TryParse(string text, out KeyEventClasses classes)
    {
        classes = KeyEventClasses.None;
        foreach (char letter in text)
        {
            if (ClassOf(letter) is not { } named)
                return false;
            classes |= named;
        }

        return true;
    }

    /// <summary>The letters as CONFIG GET shows them.</summary>
    public static string Format(KeyEventClasses classes)
    {
        StringBuilder text = new();
        if ((classes & KeyEventClasses.All) == KeyEventClasses.All)
            text.Append('A');
        else
            Append(text, Selected, classes);
        Append(text, Others, classes);
        return text.ToString();
    }

    /// <summary>What is wrong with a text, or null.</summary>
    public static string? Problem(string text) => TryParse(text, out _) ? null : $"Invalid event class character. Use '{Letters}'.";

    /// <summary>A text as CONFIG GET shows it; one that is not valid stays as it is.</summary>
    public static string Normalize(string text) => TryParse(text, out KeyEventClasses classes) ? Format(classes) : text;

    private static KeyEventClasses? ClassOf(char letter)
    {
        if (letter == 'A')
            return KeyEventClasses.All;
        foreach ((char known, KeyEventClasses named) in Selected)
        {
            if (known == letter)
                return named;
        }

        foreach ((char known, KeyEventClasses named) in Others)
        {
            if (known == letter)
                return named;
        }

        return null;
    }

    private static void Append(StringBuilder text, (char Letter, KeyEventClasses Class)[] letters, KeyEventClasses classes)
    {
        foreach ((char letter, KeyEventClasses named) in letters)
        {
            if ((classes & named) != 0)
                text.Append(letter);
        }
    }
}
