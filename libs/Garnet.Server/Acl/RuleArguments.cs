// Joins the words of selectors. Stateless.
using System.Text;

namespace Garnet.Server.Acl;

/// <summary>A selector may be written as one word, "(+get ~a*)", or spread over several; it is joined to one.</summary>
internal static class RuleArguments
{
    /// <summary>The rules, with each selector as one of them.</summary>
    /// <param name="words">The words.</param>
    /// <param name="unclosed">The word that opens a parenthesis that is never closed, if the result is null.</param>
    public static List<string>? Join(IReadOnlyList<string> words, out string unclosed)
    {
        List<string> rules = [];
        StringBuilder? selector = null;
        unclosed = "";
        foreach (string word in words)
        {
            if (selector is not null)
            {
                selector.Append(' ').Append(word);
                if (!word.EndsWith(')'))
                    continue;
                rules.Add(selector.ToString());
                selector = null;
            }
            else if (word.StartsWith('(') && !word.EndsWith(')'))
            {
                unclosed = word;
                selector = new StringBuilder(word);
            }
            else
            {
                rules.Add(word);
            }
        }

        return selector is null ? rules : null;
    }
}
