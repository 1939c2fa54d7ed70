// Names of chunks in messages. Stateless; any thread.
using System.Text;
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>Shortens the name that a chunk was given: a file's after @, a literal one after =, otherwise the source itself.</summary>
internal static class ChunkName
{
    private const int MaxLength = 59;
    private const int MaxLengthInSyntaxErrors = 79;
    private const int MaxKept = 256;

    // What is taken off for " '...' " and " [string "...] ".
    private const int FileNameMargin = 7;
    private const int SourceMargin = 16;

    /// <summary>As much of a name as messages show; a chunk without a name is named by its source, which may be long.</summary>
    public static string Shorten(LuaString name)
    {
        ReadOnlySpan<byte> text = CText.UpToZero(name.Span);
        if (text.Length <= MaxKept)
            return Encoding.Latin1.GetString(text);
        return text[0] == '@' ? "@" + Encoding.Latin1.GetString(text[^(MaxKept - 1)..]) : Encoding.Latin1.GetString(text[..MaxKept]);
    }

    public static string Display(string name) => Display(name, MaxLength);

    /// <summary>Messages of the compiler have room for a little more.</summary>
    public static string DisplayInSyntaxErrors(string name) => Display(name, MaxLengthInSyntaxErrors);

    private static string Display(string name, int maxLength)
    {
        name = CText.UpToZero(name);
        if (name.StartsWith('='))
            return name[1..Math.Min(name.Length, maxLength + 1)];
        if (name.StartsWith('@'))
            return name.Length - 1 > maxLength - FileNameMargin ? "..." + name[^(maxLength - FileNameMargin)..] : name[1..];
        int end = name.AsSpan().IndexOfAny('\n', '\r');
        int length = Math.Min(end < 0 ? name.Length : end, maxLength - SourceMargin);
        bool truncated = length < name.Length;
        return $"[string \"{name[..length]}{(truncated ? "..." : "")}\"]";
    }
}
