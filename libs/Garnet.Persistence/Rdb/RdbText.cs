// Formats bytes of a file for error messages. Stateless; any thread.
using System.Text;

namespace Garnet.Persistence.Rdb;

/// <summary>Text of file content, for messages.</summary>
internal static class RdbText
{
    private const int MaxShown = 64;

    /// <summary>The bytes in quotes, unprintable ones in hexadecimal, truncated when long.</summary>
    public static string Quote(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder("'");
        foreach (byte each in bytes[..Math.Min(bytes.Length, MaxShown)])
        {
            if (each is >= 0x20 and < 0x7F)
                text.Append((char)each);
            else
                text.Append($"\\x{each:x2}");
        }

        return text.Append(bytes.Length > MaxShown ? "'..." : "'").ToString();
    }
}
