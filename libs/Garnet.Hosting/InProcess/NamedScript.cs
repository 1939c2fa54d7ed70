// Finds the named parameters of a script. Immutable; any thread.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Server.Scripting;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// The text between the parameters, and for each set of keys among them the script that the server runs: which position in KEYS or ARGV a
/// name has depends on the types of the values.
/// </summary>
internal sealed class NamedScript
{
    // One set of types is usual; the bound is against a caller that varies them.
    private const int MaxForms = 64;

    private readonly List<string> _names = [];
    private readonly List<(string Before, int Parameter)> _pieces = [];
    private readonly ConcurrentDictionary<string, ScriptForm> _forms = new(StringComparer.Ordinal);
    private readonly string _rest;

    public NamedScript(string text)
    {
        int from = 0;
        for (int at = 0; at < text.Length; )
        {
            int end = SkipLiteral(text, at);
            if (end > at)
            {
                at = end;
                continue;
            }

            int length = NameLength(text, at);
            if (length == 0)
            {
                at++;
                continue;
            }

            _pieces.Add((text[from..at], IndexOf(text.Substring(at + 1, length))));
            from = at += length + 1;
        }

        _rest = text[from..];
    }

    public IReadOnlyList<string> Names => _names;

    /// <summary>The script for parameters of which those marked with <c>k</c> are keys.</summary>
    public ScriptForm FormFor(ReadOnlySpan<char> kinds)
    {
        if (_forms.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(kinds, out ScriptForm? known))
            return known;
        ScriptForm form = CreateForm(kinds);
        return _forms.Count < MaxForms ? _forms.GetOrAdd(kinds.ToString(), form) : form;
    }

    private ScriptForm CreateForm(ReadOnlySpan<char> kinds)
    {
        string[] places = new string[_names.Count];
        int keys = 0;
        int arguments = 0;
        for (int i = 0; i < places.Length; i++)
            places[i] = kinds[i] == ScriptForm.Key ? $"KEYS[{++keys}]" : $"ARGV[{++arguments}]";
        StringBuilder text = new();
        foreach ((string before, int parameter) in _pieces)
            text.Append(before).Append(places[parameter]);
        byte[] bytes = Encoding.UTF8.GetBytes(text.Append(_rest).ToString());
        byte[] hash = new byte[ScriptHash.TextLength];
        ScriptHash.Of(bytes).Format(hash);
        return new ScriptForm(bytes, hash);
    }

    private int IndexOf(string name)
    {
        int index = _names.IndexOf(name);
        if (index >= 0)
            return index;
        _names.Add(name);
        return _names.Count - 1;
    }

    // @name; the length of the name, 0 if none begins here.
    private static int NameLength(string text, int at)
    {
        if (text[at] != '@' || at + 1 == text.Length || !(char.IsAsciiLetter(text[at + 1]) || text[at + 1] == '_'))
            return 0;
        int end = at + 1;
        while (end < text.Length && (char.IsAsciiLetterOrDigit(text[end]) || text[end] == '_'))
            end++;
        return end - at - 1;
    }

    // The position after a string or comment that begins here; the same position if none does.
    private static int SkipLiteral(string text, int at)
    {
        if (text[at] is '"' or '\'')
            return EndOfQuoted(text, at);
        if (text[at] == '[')
            return EndOfLong(text, at);
        if (!text.AsSpan(at).StartsWith("--"))
            return at;
        int end = at + 2 < text.Length && text[at + 2] == '[' ? EndOfLong(text, at + 2) : at + 2;
        if (end > at + 2)
            return end;
        int line = text.IndexOf('\n', at);
        return line < 0 ? text.Length : line;
    }

    private static int EndOfQuoted(string text, int at)
    {
        for (int i = at + 1; i < text.Length; i++)
        {
            if (text[i] == '\\')
                i++;
            else if (text[i] == text[at] || text[i] == '\n')
                return i + 1;
        }

        return text.Length;
    }

    // [[...]] or [==[...]==]
    private static int EndOfLong(string text, int at)
    {
        int level = at + 1;
        while (level < text.Length && text[level] == '=')
            level++;
        if (level == text.Length || text[level] != '[')
            return at;
        string close = $"]{new string('=', level - at - 1)}]";
        int end = text.IndexOf(close, level + 1, StringComparison.Ordinal);
        return end < 0 ? text.Length : end + close.Length;
    }
}
