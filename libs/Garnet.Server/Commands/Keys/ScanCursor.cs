// Cursors of the SCAN family as text. Stateless.
using System.Buffers.Text;

namespace Garnet.Server.Commands.Keys;

/// <summary>Parses a cursor: an unsigned 64-bit number. Blanks, a plus sign and zeros before it are let pass, as Valkey's strtoull does.</summary>
internal static class ScanCursor
{
    public static bool TryParse(ReadOnlySpan<byte> text, out ulong cursor)
    {
        text = text.TrimStart(" \t\n\v\f\r"u8);
        if (text.Length > 1 && text[0] == (byte)'+')
            text = text[1..];
        return Utf8Parser.TryParse(text, out cursor, out int consumed) && consumed == text.Length && char.IsAsciiDigit((char)text[0]);
    }
}
