// What may still follow the words of a command. Pure functions.
using System.Globalization;
using System.Text;

namespace Garnet.Cli.Interactive;

/// <summary>
/// Matches words with the arguments of a command, and writes the rest as its syntax: [optional], a|b, [repeated ...]. Optional arguments
/// that follow each other may come in any order.
/// </summary>
internal static class ArgumentHint
{
    /// <summary>The syntax of all arguments.</summary>
    public static string Of(IReadOnlyList<ArgumentDoc> arguments) => Join(arguments.Select(Describe), " ");

    /// <summary>The syntax of what may follow the words; empty where they do not match.</summary>
    public static string After(IReadOnlyList<ArgumentDoc> arguments, ReadOnlySpan<string> words)
    {
        int at = 0;
        var rest = new List<string>();
        return TryMatchAll(arguments, words, ref at, rest) && at == words.Length ? Join(rest, " ") : "";
    }

    /// <summary>The words that may come next: tokens.</summary>
    public static IEnumerable<string> Tokens(IReadOnlyList<ArgumentDoc> arguments)
    {
        foreach (ArgumentDoc argument in arguments)
        {
            if (argument.Token is { Length: > 0 } token)
            {
                yield return token;
                continue;
            }

            foreach (string part in Tokens(argument.Parts))
                yield return part;
        }
    }

    private static bool TryMatchAll(IReadOnlyList<ArgumentDoc> arguments, ReadOnlySpan<string> words, ref int at, List<string> rest)
    {
        for (int i = 0; i < arguments.Count; )
        {
            if (arguments[i].IsOptional)
            {
                int end = i;
                while (end < arguments.Count && arguments[end].IsOptional)
                    end++;
                MatchOptional([.. arguments.Skip(i).Take(end - i)], end < arguments.Count, words, ref at, rest);
                i = end;
                continue;
            }

            if (at == words.Length)
                rest.Add(Describe(arguments[i]));
            else if (!TryMatch(arguments[i], words, ref at, rest))
                return false;
            i++;
        }

        return true;
    }

    // What is left of an argument that has begun comes first; those not yet given are not offered where a later word has been given
    // already.
    private static void MatchOptional(List<ArgumentDoc> open, bool isFollowed, ReadOnlySpan<string> words, ref int at, List<string> rest)
    {
        var begun = new List<string>();
        for (bool isMatched = true; isMatched && at < words.Length; )
        {
            isMatched = false;
            for (int i = 0; i < open.Count && !isMatched; i++)
            {
                var part = new List<string>();
                if (!TryMatch(open[i], words, ref at, part))
                    continue;
                begun = part;
                open.RemoveAt(i);
                isMatched = true;
            }
        }

        if (at == words.Length || !isFollowed)
        {
            rest.AddRange(begun);
            rest.AddRange(open.Select(Describe));
        }
    }

    private static bool TryMatch(ArgumentDoc argument, ReadOnlySpan<string> words, ref int at, List<string> rest)
    {
        int start = at;
        if (!TryMatchOnce(argument, words, ref at, rest, hasToken: false))
        {
            at = start;
            return false;
        }

        if (!argument.IsMultiple)
            return true;
        while (rest.Count == 0 && at < words.Length)
        {
            int before = at;
            // What matches no word would match for ever.
            if (TryMatchOnce(argument, words, ref at, rest, hasToken: !argument.RepeatsToken) && at > before)
                continue;
            at = before;
            break;
        }

        rest.Add(Repetition(argument));
        return true;
    }

    private static bool TryMatchOnce(ArgumentDoc argument, ReadOnlySpan<string> words, ref int at, List<string> rest, bool hasToken)
    {
        if (argument.Token is { } token && !hasToken)
        {
            if (!words[at].Equals(token, StringComparison.OrdinalIgnoreCase))
                return false;
            at++;
            if (argument.Kind == ArgumentKind.PureToken)
                return true;
            if (at == words.Length)
            {
                rest.Add(Body(argument));
                return true;
            }
        }

        switch (argument.Kind)
        {
            case ArgumentKind.Block:
                return TryMatchAll(argument.Parts, words, ref at, rest);
            case ArgumentKind.OneOf:
                return TryMatchOneOf(argument.Parts, words, ref at, rest);
            case ArgumentKind.Integer:
                return long.TryParse(words[at++], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _);
            case ArgumentKind.Double:
                return double.TryParse(words[at++], NumberStyles.Float, CultureInfo.InvariantCulture, out _);
            default:
                at++;
                return true;
        }
    }

    private static bool TryMatchOneOf(IReadOnlyList<ArgumentDoc> parts, ReadOnlySpan<string> words, ref int at, List<string> rest)
    {
        foreach (ArgumentDoc part in parts)
        {
            if (TryMatch(part, words, ref at, rest))
                return true;
        }

        return false;
    }

    private static string Describe(ArgumentDoc argument)
    {
        var text = new StringBuilder();
        if (argument.Token is { } token)
            text.Append(OrQuotes(token));
        if (argument.Kind != ArgumentKind.PureToken)
            text.Append(text.Length > 0 ? " " : "").Append(Body(argument));
        if (argument.IsMultiple)
            text.Append(' ').Append(Repetition(argument));
        return argument.IsOptional ? $"[{text}]" : text.ToString();
    }

    private static string Body(ArgumentDoc argument) =>
        argument.Kind switch
        {
            ArgumentKind.OneOf => Join(argument.Parts.Select(Describe), "|"),
            ArgumentKind.Block => Of(argument.Parts),
            ArgumentKind.PureToken => "",
            _ => OrQuotes(argument.Name),
        };

    private static string Repetition(ArgumentDoc argument)
    {
        string token = argument is { RepeatsToken: true, Token: { } word } ? OrQuotes(word) : "";
        string body = Body(argument);
        return $"[{token}{(token.Length > 0 && body.Length > 0 ? " " : "")}{body} ...]";
    }

    private static string OrQuotes(string text) => text.Length == 0 ? "\"\"" : text;

    private static string Join(IEnumerable<string> parts, string separator) =>
        string.Join(separator, parts.Where(static part => part.Length > 0));
}
