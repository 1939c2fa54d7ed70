// A score's text as sorted sets in packed lists and old files have it. Stateless; any thread.
using System.Buffers.Text;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>Reads scores that were written as text.</summary>
internal static class ScoreText
{
    /// <summary>Reads a number or an infinity; false for anything else, "nan" included.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out double score)
    {
        if (Utf8Parser.TryParse(text, out score, out int read) && read == text.Length)
            return !double.IsNaN(score);
        bool isNegative = !text.IsEmpty && text[0] == (byte)'-';
        ReadOnlySpan<byte> word = !text.IsEmpty && text[0] is (byte)'-' or (byte)'+' ? text[1..] : text;
        score = isNegative ? double.NegativeInfinity : double.PositiveInfinity;
        return System.Text.Ascii.EqualsIgnoreCase(word, "inf"u8) || System.Text.Ascii.EqualsIgnoreCase(word, "infinity"u8);
    }
}
