// A score's text as in packed lists and old files. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>
/// Parses scores stored as text, with Valkey's leniency towards invalid ones: the number at the beginning of the text counts.
/// </summary>
internal static class ScoreText
{
    /// <summary>The number at the beginning of a text in a packed list; 0 when there is none.</summary>
    public static double ReadPacked(ReadOnlySpan<byte> text) => TryReadLeading(text, out double score) ? score : 0;

    /// <summary>
    /// The number at the beginning of a text by itself, after blanks, in any form that C's scanf accepts; false when there is none. The
    /// text ends at a zero byte.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> text, out double score)
    {
        int end = text.IndexOf((byte)0);
        text = (end < 0 ? text : text[..end]).TrimStart(" \t\n\v\f\r"u8);
        ReadOnlySpan<byte> rest = text[SignOf(text)..];
        if (Begins(rest, "0x"u8))
        {
            score = ReadHexadecimal(rest[2..], out int digits);
            score = Begins(text, "-"u8) ? -score : score;
            return digits > 0;
        }

        // A word that begins like infinity must be exactly that word.
        return TryReadLeading(text, out score) && (!Begins(rest, "infi"u8) || Begins(rest, "infinity"u8));
    }

    // Sign, then digits with at most one point and perhaps an exponent, or inf, infinity, nan in any case.
    private static bool TryReadLeading(ReadOnlySpan<byte> text, out double score)
    {
        int sign = SignOf(text);
        ReadOnlySpan<byte> rest = text[sign..];
        int digits = LengthOfNumber(rest);
        if (digits > 0)
            return double.TryParse(text[..(sign + digits)], NumberStyles.Float, CultureInfo.InvariantCulture, out score);
        score = Begins(rest, "inf"u8) ? double.PositiveInfinity : double.NaN;
        if (Begins(text, "-"u8))
            score = -score;
        return double.IsInfinity(score) || Begins(rest, "nan"u8);
    }

    private static int SignOf(ReadOnlySpan<byte> text) => !text.IsEmpty && text[0] is (byte)'-' or (byte)'+' ? 1 : 0;

    // Digits with at most one point, then optionally p and a power of two. Digits beyond a double's precision only scale the value.
    private static double ReadHexadecimal(ReadOnlySpan<byte> text, out int digits)
    {
        const ulong full = 1UL << 59;
        (ulong fraction, int power, digits) = (0, 0, 0);
        bool isBehindPoint = false;
        int at = 0;
        for (; at < text.Length && (char.IsAsciiHexDigit((char)text[at]) || (text[at] == (byte)'.' && !isBehindPoint)); at++)
        {
            if (text[at] == (byte)'.')
            {
                isBehindPoint = true;
                continue;
            }

            digits++;
            bool fits = fraction < full;
            fraction = fits ? (fraction << 4) | (uint)Convert.FromHexString([(char)'0', (char)text[at]])[0] : fraction;
            power += (fits ? 0 : 4) - (isBehindPoint ? 4 : 0);
        }

        if (at < text.Length && (text[at] | 0x20) == 'p')
        {
            int sign = SignOf(text[(at + 1)..]);
            int length = Math.Min(CountDigits(text[(at + 1 + sign)..]), 9);
            if (length > 0)
                power += int.Parse(text.Slice(at + 1, sign + length), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        }

        return Math.ScaleB(fraction, power);
    }

    private static bool Begins(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word) =>
        text.Length >= word.Length && Ascii.EqualsIgnoreCase(text[..word.Length], word);

    private static int LengthOfNumber(ReadOnlySpan<byte> text)
    {
        int whole = CountDigits(text);
        int end = whole;
        int fraction = 0;
        if (end < text.Length && text[end] == (byte)'.')
        {
            fraction = CountDigits(text[(end + 1)..]);
            end += 1 + fraction;
        }

        if (whole + fraction == 0)
            return 0;
        if (end < text.Length && (text[end] | 0x20) == 'e')
        {
            int sign = end + 1 < text.Length && text[end + 1] is (byte)'-' or (byte)'+' ? 1 : 0;
            int exponent = CountDigits(text[(end + 1 + sign)..]);
            end += exponent > 0 ? 1 + sign + exponent : 0;
        }

        return end;
    }

    private static int CountDigits(ReadOnlySpan<byte> text)
    {
        int count = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return count < 0 ? text.Length : count;
    }
}
