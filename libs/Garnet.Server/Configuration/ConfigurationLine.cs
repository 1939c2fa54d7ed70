// Splits a line of a configuration file into words. Pure functions, any thread.
using System.Buffers;
using System.Text;

namespace Garnet.Server.Configuration;

/// <summary>
/// Splits and quotes like redis.conf: words are separated by white space; in double quotes \n \r \t \b \a \xHH are bytes and any other
/// escaped character is itself; in single quotes only \' is an escape; a closing quote ends the word.
/// </summary>
internal static class ConfigurationLine
{
    // Characters that are literal anywhere in a word: no space, quote, backslash or control character.
    private static readonly SearchValues<char> PlainCharacters = SearchValues.Create(
        "!#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    );

    /// <summary>The words of a line, or null when its quotes are not balanced.</summary>
    public static List<string>? Split(string line) => Split(line, Encoding.UTF8);

    /// <summary>As <see cref="Split(string)"/> for text whose characters stand for bytes in another way.</summary>
    public static List<string>? Split(string line, Encoding encoding)
    {
        // \xHH is a byte, not a character, so words are assembled as bytes.
        byte[] bytes = encoding.GetBytes(line);
        var words = new List<string>();
        var word = new List<byte>();
        int at = 0;
        while (true)
        {
            while (at < bytes.Length && IsSpace(bytes[at]))
                at++;
            if (at == bytes.Length)
                return words;
            word.Clear();
            if (!ReadWord(bytes, ref at, word))
                return null;
            words.Add(encoding.GetString(word.ToArray()));
        }
    }

    /// <summary>Quotes a text such that <see cref="Split"/> returns it.</summary>
    public static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (byte value in Encoding.UTF8.GetBytes(text))
        {
            _ = value switch
            {
                (byte)'\\' or (byte)'"' => quoted.Append('\\').Append((char)value),
                (byte)'\n' => quoted.Append("\\n"),
                (byte)'\r' => quoted.Append("\\r"),
                (byte)'\t' => quoted.Append("\\t"),
                (byte)'\a' => quoted.Append("\\a"),
                (byte)'\b' => quoted.Append("\\b"),
                < 32 or > 126 => quoted.Append("\\x").Append(Convert.ToHexStringLower([value])),
                _ => quoted.Append((char)value),
            };
        }
        return quoted.Append('"').ToString();
    }

    /// <summary>Quotes a word if <see cref="Split"/> would not return it unquoted.</summary>
    public static string QuoteIfNeeded(string word) =>
        word.Length > 0 && word[0] != '#' && !word.AsSpan().ContainsAnyExcept(PlainCharacters) ? word : Quote(word);

    private static bool ReadWord(ReadOnlySpan<byte> bytes, ref int at, List<byte> word)
    {
        while (at < bytes.Length && !IsSpace(bytes[at]))
        {
            byte value = bytes[at++];
            if (value is not ((byte)'"' or (byte)'\''))
                word.Add(value);
            else
                return ReadQuoted(bytes, ref at, word, value);
        }
        return true;
    }

    // From after the opening quote to after the closing one, which must be followed by white space or the end.
    private static bool ReadQuoted(ReadOnlySpan<byte> bytes, ref int at, List<byte> word, byte quote)
    {
        while (at < bytes.Length && bytes[at] != quote)
        {
            if (bytes[at] == '\\' && at + 1 < bytes.Length && (quote == '"' || bytes[at + 1] == '\''))
                word.Add(ReadEscape(bytes, ref at, quote));
            else
                word.Add(bytes[at++]);
        }
        at++;
        return at == bytes.Length || (at < bytes.Length && IsSpace(bytes[at]));
    }

    private static byte ReadEscape(ReadOnlySpan<byte> bytes, ref int at, byte quote)
    {
        ReadOnlySpan<byte> rest = bytes[(at + 1)..];
        if (
            quote == '"'
            && rest is [(byte)'x', var high, var low, ..]
            && char.IsAsciiHexDigit((char)high)
            && char.IsAsciiHexDigit((char)low)
        )
        {
            at += 4;
            return (byte)((Convert.ToInt32(((char)high).ToString(), 16) << 4) | Convert.ToInt32(((char)low).ToString(), 16));
        }
        at += 2;
        return rest[0] switch
        {
            (byte)'n' when quote == '"' => (byte)'\n',
            (byte)'r' when quote == '"' => (byte)'\r',
            (byte)'t' when quote == '"' => (byte)'\t',
            (byte)'b' when quote == '"' => (byte)'\b',
            (byte)'a' when quote == '"' => (byte)'\a',
            var other => other,
        };
    }

    private static bool IsSpace(byte value) => value is (byte)' ' or (>= 9 and <= 13);
}
