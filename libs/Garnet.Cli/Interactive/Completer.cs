// Completions and hints for the line that is being typed. One thread.
namespace Garnet.Cli.Interactive;

/// <summary>Knows commands, their subcommands, tokens of their arguments, and topics of help.</summary>
/// <param name="catalog">The commands.</param>
internal sealed class Completer(CommandCatalog catalog)
{
    private const string HelpWord = "help";

    /// <summary>Whether hints are shown.</summary>
    public bool ShowsHints { get; set; } = true;

    /// <summary>Lines that may be meant, in their order.</summary>
    public IReadOnlyList<string> Complete(string line)
    {
        string[] words = LineWords.Split(line, out bool endsInSpace);
        string last = endsInSpace || words.Length == 0 ? "" : words[^1];
        string before = line[..^last.Length];
        string[] finished = endsInSpace || words.Length == 0 ? words : words[..^1];
        IEnumerable<string> candidates =
            finished.Length == 1 && finished[0].Equals(HelpWord, StringComparison.OrdinalIgnoreCase) ? Topics()
            : finished.Length == 0 ? Names(0, [])
            : Following(finished);
        return
        [
            .. candidates
                .Where(each => each.StartsWith(last, StringComparison.OrdinalIgnoreCase))
                .Distinct()
                .Select(each => before + MatchCase(each, last)),
        ];
    }

    /// <summary>The syntax of what may follow, with a space before it where one must be typed; empty for none.</summary>
    public string Hint(string line)
    {
        if (!ShowsHints || line.Length == 0)
            return "";
        string[] words = LineWords.Split(line, out bool endsInSpace);
        // The last word counts once a space follows.
        ReadOnlySpan<string> finished = endsInSpace || words.Length == 0 ? words : words.AsSpan(0, words.Length - 1);
        CommandDoc? command = catalog.Find(finished) ?? (endsInSpace ? null : catalog.Find(words));
        if (command is null || command.Words.Length > finished.Length + 1)
            return "";
        string hint =
            command.Words.Length > finished.Length
                ? ArgumentHint.Of(command.Arguments)
                : ArgumentHint.After(command.Arguments, finished[command.Words.Length..]);
        return hint.Length == 0 || endsInSpace ? hint : " " + hint;
    }

    private IEnumerable<string> Topics() =>
        catalog
            .Commands.Select(static each => "@" + each.Group)
            .Distinct()
            .Order(StringComparer.Ordinal)
            .Concat(catalog.Commands.Select(static each => each.Name));

    private IEnumerable<string> Names(int index, string[] container) =>
        catalog
            .Commands.Where(each => each.Words.Length == index + 1 && container.Length == index && StartsWith(each.Words, container))
            .Select(each => each.Words[index]);

    private IEnumerable<string> Following(string[] finished)
    {
        foreach (string name in Names(1, finished))
            yield return name;
        if (catalog.Find(finished) is not { } command)
            yield break;
        foreach (string token in ArgumentHint.Tokens(command.Arguments))
        {
            if (!finished.Contains(token, StringComparer.OrdinalIgnoreCase))
                yield return token;
        }
    }

    private static bool StartsWith(string[] name, string[] container)
    {
        for (int i = 0; i < container.Length; i++)
        {
            if (!name[i].Equals(container[i], StringComparison.OrdinalIgnoreCase))
                return false;
        }

        return true;
    }

    // A user who types in lower case goes on in lower case.
    private static string MatchCase(string candidate, string typed) =>
        typed.Length > 0 && typed.Any(char.IsLetter) && !typed.Any(char.IsUpper) ? candidate.ToLowerInvariant() : candidate;
}
