// Parses cursors of the SCAN family. Stateless.
using System.Buffers.Text;
using Garnet.Engine.Execution;

namespace Garnet.Commands.Keys;

/// <summary>
/// Parses an unsigned 64-bit number. Anything but a plain decimal number is parsed like strtoull in Valkey, which skips leading blanks, a
/// sign and zeros, negates after a minus sign, and stops at a zero byte.
/// </summary>
internal static class ScanCursor
{
    /// <summary>Parses the cursor in an argument; writes the error and returns false if it is invalid.</summary>
    public static bool TryGet(ref CommandContext context, int index, out ulong cursor)
    {
        if (TryParse(context[index], out cursor))
            return true;
        context.Reply.WriteError("ERR invalid cursor"u8);
        return false;
    }

    /// <summary>Parses a cursor.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ulong cursor)
    {
        ReadOnlySpan<byte> word = ArgumentText.UpToZero(text);
        bool isPlainNegative =
            word.Length == text.Length && text.Length > 1 && text[0] == (byte)'-' && text[1] is >= (byte)'1' and <= (byte)'9';
        text = word.TrimStart(" \t\n\v\f\r"u8);
        bool isNegative = text.Length > 1 && text[0] == (byte)'-';
        if (isNegative || (text.Length > 1 && text[0] == (byte)'+'))
            text = text[1..];
        if (!Utf8Parser.TryParse(text, out cursor, out int consumed) || consumed != text.Length || !char.IsAsciiDigit((char)text[0]))
            return false;
        if (isPlainNegative && cursor <= 1UL << 63)
            return false;
        if (isNegative)
            cursor = 0 - cursor;
        return true;
    }
}
