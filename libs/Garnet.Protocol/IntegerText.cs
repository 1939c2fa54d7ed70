// 64-bit integers as decimal text, exactly in the forms of the protocol and the keyspace. Stateless; any thread.
using System.Buffers.Text;
using System.Diagnostics;

namespace Garnet.Protocol;

/// <summary>
/// Strict decimal text of signed 64-bit integers: an optional minus, no leading zeros, plus signs or spaces, so that every text that parses
/// equals the output of <see cref="Format"/> for its value.
/// </summary>
internal static class IntegerText
{
    /// <summary>The maximum length in bytes, that of <see cref="long.MinValue"/>.</summary>
    public const int MaxLength = 20;

    private const int LongDigitsWithoutOverflow = 18;

    /// <summary>Parses a whole text strictly; false when it is not the canonical text of a 64-bit integer.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if ((uint)(text.Length - 1) >= MaxLength)
            return false;
        bool negative = text[0] == (byte)'-';
        ReadOnlySpan<byte> digits = negative ? text[1..] : text;
        if (digits.IsEmpty)
            return false;
        uint first = (uint)(digits[0] - '0');
        if (first == 0 && text.Length == 1)
            return true;
        if (first - 1 > 8)
            return false;

        ulong magnitude = first;
        int safe = Math.Min(digits.Length, LongDigitsWithoutOverflow);
        int i = 1;
        for (; i < safe; i++)
        {
            uint digit = (uint)(digits[i] - '0');
            if (digit > 9)
                return false;
            magnitude = magnitude * 10 + digit;
        }
        if (i < digits.Length && !TryAppendLastDigits(digits[i..], ref magnitude))
            return false;
        if (magnitude > (ulong)long.MaxValue + (negative ? 1UL : 0UL))
            return false;
        value = negative ? (long)(0 - magnitude) : (long)magnitude;
        return true;
    }

    /// <summary>
    /// Writes the text of a value and returns its length; the destination must have <see cref="MaxLength"/> bytes or the text's length.
    /// </summary>
    public static int Format(long value, Span<byte> destination)
    {
        if (!Utf8Formatter.TryFormat(value, destination, out int written))
            throw new ArgumentException("The destination is too short for the number.", nameof(destination));
        return written;
    }

    /// <summary>The length of the text of a value, in bytes.</summary>
    public static int Length(long value)
    {
        ulong magnitude = value < 0 ? 0UL - (ulong)value : (ulong)value;
        int length = value < 0 ? 2 : 1;
        while (magnitude >= 10)
        {
            magnitude /= 10;
            length++;
        }
        return length;
    }

    // Digits 19 and 20 may overflow 64 bits.
    private static bool TryAppendLastDigits(ReadOnlySpan<byte> digits, ref ulong magnitude)
    {
        Debug.Assert(digits.Length <= 2);
        foreach (byte character in digits)
        {
            uint digit = (uint)(character - '0');
            if (digit > 9 || magnitude > ulong.MaxValue / 10)
                return false;
            ulong shifted = magnitude * 10;
            if (shifted > ulong.MaxValue - digit)
                return false;
            magnitude = shifted + digit;
        }
        return true;
    }
}
