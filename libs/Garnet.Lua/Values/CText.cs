// Texts as C functions see them. Stateless; any thread.
namespace Garnet.Lua.Values;

/// <summary>Lua and the server's C code pass many texts on as C strings, which end at the first NUL.</summary>
internal static class CText
{
    /// <summary>The text up to its first NUL.</summary>
    public static ReadOnlySpan<byte> UpToZero(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOf((byte)0);
        return end < 0 ? text : text[..end];
    }

    /// <summary>The text up to its first NUL.</summary>
    public static string UpToZero(string text)
    {
        int end = text.IndexOf('\0', StringComparison.Ordinal);
        return end < 0 ? text : text[..end];
    }
}
