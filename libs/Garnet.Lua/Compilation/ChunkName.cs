// Names of chunks in messages. Stateless; any thread.
namespace Garnet.Lua.Compilation;

/// <summary>Shortens the name that a chunk was given: a file's after @, a literal one after =, otherwise the source itself.</summary>
internal static class ChunkName
{
    private const int MaxFileName = 52;
    private const int MaxSource = 43;
    private const int MaxLiteral = 59;

    public static string Display(string name)
    {
        if (name.StartsWith('='))
            return name[1..Math.Min(name.Length, MaxLiteral + 1)];
        if (name.StartsWith('@'))
            return name.Length - 1 > MaxFileName ? "..." + name[^MaxFileName..] : name[1..];
        int end = name.AsSpan().IndexOfAny('\n', '\r', '\0');
        int length = Math.Min(end < 0 ? name.Length : end, MaxSource);
        bool truncated = length < name.Length && name[length] != '\0';
        return $"[string \"{name[..length]}{(truncated ? "..." : "")}\"]";
    }
}
