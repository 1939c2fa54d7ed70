// The first line of libraries. Stateless; any thread.
using System.Text;
using Garnet.Protocol;

namespace Garnet.Server.Scripting;

/// <summary><c>#!lua name=library</c></summary>
/// <param name="Name">The library's name.</param>
/// <param name="Code">What follows the line, from its end on, so that lines keep their numbers; up to a zero byte, as in Valkey.</param>
internal readonly record struct LibraryHeader(string Name, ReadOnlyMemory<byte> Code)
{
    private const string BadName =
        "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long";

    /// <summary>Reads the first line.</summary>
    /// <returns>The error, or null.</returns>
    public static string? Read(ReadOnlyMemory<byte> source, out LibraryHeader header)
    {
        header = default;
        ReadOnlySpan<byte> text = source.Span;
        int zero = text.IndexOf((byte)0);
        if (zero >= 0)
            source = source[..zero];
        text = source.Span;
        if (!text.StartsWith("#!"u8))
            return "Missing library metadata";
        int end = text.IndexOf((byte)'\n');
        ArgumentTable words = new();
        int count = end < 0 ? 0 : InlineSplitter.Split(text, 0, end, words);
        if (count <= 0)
            return "Invalid library metadata";
        words.Commit(count);
        string? name = null;
        for (int i = 1; i < count; i++)
        {
            string word = Encoding.Latin1.GetString(words.Get(text, i));
            if (!word.StartsWith("name=", StringComparison.OrdinalIgnoreCase))
                return "Invalid metadata value given: " + word;
            if (name is not null)
                return "Invalid metadata value, name argument was given multiple times";
            name = word[5..];
        }

        if (name is null)
            return "Library name was not given";
        if (!IsName(name))
            return BadName;
        string engine = Encoding.Latin1.GetString(words.Get(text, 0)[2..]);
        if (!string.Equals(engine, FunctionCatalog.Engine, StringComparison.OrdinalIgnoreCase))
            return $"Engine '{engine}' not found";
        header = new LibraryHeader(name, source[end..]);
        return null;
    }

    /// <summary>Whether a library or function can have this name.</summary>
    public static bool IsName(string name) => name.Length > 0 && name.All(static c => char.IsAsciiLetterOrDigit(c) || c == '_');
}
