// A list of words. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is a list of words.</summary>
internal sealed class ListOption(
    string name,
    Func<GarnetOptions, IReadOnlyList<string>> get,
    Action<GarnetOptions, IReadOnlyList<string>> set,
    int maxCount,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <summary>Returns what is wrong with a word; null when it is valid.</summary>
    public Func<string, string?> Check { get; init; } = static _ => null;

    /// <summary>The error for a list that is too long.</summary>
    public string TooMany { get; init; } = "Too many bind addresses specified.";

    /// <summary>Whether the words are paths: they may contain spaces, and several lines of a file are combined.</summary>
    public bool IsOfPaths { get; init; }

    /// <summary>Whether a line of a file is one word with the line's words, quoted where necessary.</summary>
    public bool IsOneWordPerLine { get; init; }

    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override bool TakesWholeLine => IsOneWordPerLine;

    /// <inheritdoc/>
    public override bool AddsUp => IsOfPaths;

    /// <inheritdoc/>
    public override bool HasWordsWithSpaces => IsOfPaths;

    /// <inheritdoc/>
    public override string Allowed => $"up to {maxCount} words";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        if (arguments.Count > maxCount)
            return TooMany;
        foreach (string word in arguments)
        {
            if (word.Length > 0 && Check(word) is { } problem)
                return problem;
        }

        // A single empty word means an empty list, since a list with no word at all cannot be written; of lines that are combined, the one
        // with an empty word begins anew.
        bool isEmpty = IsOfPaths ? arguments is [.., ""] : arguments is [""];
        if (IsOneWordPerLine)
        {
            string[]? lines = Normalize(arguments);
            if (lines is null)
                return "unbalanced quotes";
            arguments = Array.FindAll(lines, static line => line.Length > 0);
        }

        set(options, isEmpty ? [] : arguments.ToArray());
        return null;
    }

    // In one way of quoting, so that a value is the same after it was written to a file; null where quotes are unbalanced.
    private static string[]? Normalize(IReadOnlyList<string> lines)
    {
        string[] normalized = new string[lines.Count];
        for (int i = 0; i < normalized.Length; i++)
        {
            if (ConfigurationLine.Split(lines[i]) is not { } words)
                return null;
            normalized[i] = string.Join(' ', words.Select(ConfigurationLine.QuoteIfNeeded));
        }

        return normalized;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) => string.Join(' ', get(options).Select(ConfigurationLine.QuoteIfNeeded));

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        if (get(options).SequenceEqual(get(defaults)))
            yield break;
        if (IsOneWordPerLine)
        {
            foreach (string line in get(options))
                yield return ($"{Name} {line}", true);
            yield break;
        }

        yield return (get(options).Count == 0 ? $"{Name} \"\"" : $"{Name} {Format(options)}", true);
    }
}
