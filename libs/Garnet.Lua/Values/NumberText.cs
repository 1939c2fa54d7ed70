// Numbers to text and back, as Lua does it. Stateless; any thread.
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Garnet.Lua.Values;

/// <summary>Formats numbers with 14 significant digits, and reads what C's strtod reads.</summary>
internal static class NumberText
{
    /// <summary>The longest text of a number.</summary>
    public const int MaxLength = 32;

    // The sign of a NaN is visible in its text.
    private const ulong PositiveNaN = 0x7FF8_0000_0000_0000;
    private const double ExactLimit = 1e14;
    private const int SignificantDigits = 14;

    /// <summary>Writes the number as <c>%.14g</c> does.</summary>
    public static int Format(double number, Span<byte> buffer)
    {
        long integer = (long)number;
        if (integer == number && Math.Abs(number) < ExactLimit && (integer != 0 || !double.IsNegative(number)))
        {
            Utf8Formatter.TryFormat(integer, buffer, out int written);
            return written;
        }

        return GeneralFormat.Write(number, SignificantDigits, buffer);
    }

    /// <summary>The number's text as a string that is no state's memory.</summary>
    public static LuaString ToLuaString(double number)
    {
        Span<byte> buffer = stackalloc byte[MaxLength];
        return new LuaString(buffer[..Format(number, buffer)].ToArray());
    }

    /// <summary>The number that a value is or, for a string, contains.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryConvert(in LuaValue value, out double number)
    {
        number = value.Number;
        return value.Object is null || (value.Object is LuaString text && TryParse(text.Span, out number));
    }

    /// <summary>Reads a number with white space around it. As C's strings do, the text ends at its first NUL.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out double number)
    {
        int end = text.IndexOf((byte)0);
        if (end >= 0)
            text = text[..end];
        text = TrimStart(text);
        int used = ParsePrefix(text, out number);
        return used > 0 && TrimStart(text[used..]).IsEmpty;
    }

    /// <summary>Reads the longest prefix that is a number, and gives its length; 0 if there is none.</summary>
    public static int ParsePrefix(ReadOnlySpan<byte> text, out double number)
    {
        number = 0;
        int sign = !text.IsEmpty && text[0] is (byte)'-' or (byte)'+' ? 1 : 0;
        bool negative = sign == 1 && text[0] == '-';
        ReadOnlySpan<byte> rest = text[sign..];
        int used;
        if (rest.Length > 1 && rest[0] == '0' && (rest[1] | 0x20) == 'x')
        {
            used = ParseHexadecimal(rest, out number);
        }
        else if (StartsWith(rest, "inf"))
        {
            number = double.PositiveInfinity;
            used = StartsWith(rest, "infinity") ? 8 : 3;
        }
        else if (StartsWith(rest, "nan"))
        {
            number = BitConverter.UInt64BitsToDouble(PositiveNaN);
            used = 3;
        }
        else
        {
            used = ParseDecimal(rest, out number);
        }

        if (negative)
            number = -number;
        return used == 0 ? 0 : sign + used;
    }

    /// <summary>
    /// Reads an integer in the given radix, as strtoul does: modulo 2^64, with an optional sign and, for 16, an optional 0x.
    /// </summary>
    public static bool TryParseInteger(ReadOnlySpan<byte> text, int radix, out double number)
    {
        number = 0;
        int end = text.IndexOf((byte)0);
        if (end >= 0)
            text = text[..end];
        text = TrimStart(text);
        bool negative = !text.IsEmpty && text[0] == '-';
        if (!text.IsEmpty && text[0] is (byte)'-' or (byte)'+')
            text = text[1..];
        if (radix == 16 && text.Length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' && Digit(text[2]) < 16)
            text = text[2..];
        ulong value = 0;
        bool overflows = false;
        int used = 0;
        for (; used < text.Length && Digit(text[used]) < radix; used++)
        {
            UInt128 next = ((UInt128)value * (uint)radix) + (uint)Digit(text[used]);
            overflows |= next > ulong.MaxValue;
            value = (ulong)next;
        }

        if (used == 0 || !TrimStart(text[used..]).IsEmpty)
            return false;
        number =
            overflows ? ulong.MaxValue
            : negative ? unchecked(0 - value)
            : value;
        return true;
    }

    private static int Digit(byte digit) =>
        digit switch
        {
            >= (byte)'0' and <= (byte)'9' => digit - '0',
            >= (byte)'a' and <= (byte)'z' => digit - 'a' + 10,
            >= (byte)'A' and <= (byte)'Z' => digit - 'A' + 10,
            _ => int.MaxValue,
        };

    /// <summary>The conversion of C on x86-64: towards 0, and the smallest integer for what does not fit.</summary>
    public static long ToLong(double number) =>
        number is >= -9.2233720368547758E18 and < 9.2233720368547758E18 ? (long)number : long.MinValue;

    /// <summary>Whether C's isspace accepts the byte.</summary>
    public static bool IsSpace(byte value) => value is (byte)' ' or (>= 9 and <= 13);

    private static ReadOnlySpan<byte> TrimStart(ReadOnlySpan<byte> text)
    {
        int i = 0;
        while (i < text.Length && IsSpace(text[i]))
            i++;
        return text[i..];
    }

    private static bool StartsWith(ReadOnlySpan<byte> text, string word)
    {
        if (text.Length < word.Length)
            return false;
        for (int i = 0; i < word.Length; i++)
        {
            if ((text[i] | 0x20) != word[i])
                return false;
        }

        return true;
    }

    private static int CountDigits(ReadOnlySpan<byte> text)
    {
        int i = 0;
        while (i < text.Length && text[i] is >= (byte)'0' and <= (byte)'9')
            i++;
        return i;
    }

    private static int ParseDecimal(ReadOnlySpan<byte> text, out double number)
    {
        number = 0;
        int used = CountDigits(text);
        int digits = used;
        if (digits is > 0 and <= 15 && (used == text.Length || !(text[used] is (byte)'.' or (byte)'e' or (byte)'E')))
        {
            long integer = 0;
            foreach (byte digit in text[..used])
                integer = (integer * 10) + (digit - '0');
            number = integer;
            return used;
        }

        if (used < text.Length && text[used] == '.')
        {
            int fraction = CountDigits(text[(used + 1)..]);
            digits += fraction;
            if (digits > 0)
                used += 1 + fraction;
        }

        if (digits == 0)
            return 0;
        if (used < text.Length && (text[used] | 0x20) == 'e')
        {
            int exponent = used + 1;
            if (exponent < text.Length && text[exponent] is (byte)'-' or (byte)'+')
                exponent++;
            int exponentDigits = exponent <= text.Length ? CountDigits(text[exponent..]) : 0;
            if (exponentDigits > 0)
                used = exponent + exponentDigits;
        }

        number = double.Parse(text[..used], NumberStyles.Float, CultureInfo.InvariantCulture);
        return used;
    }

    private static int ParseHexadecimal(ReadOnlySpan<byte> text, out double number)
    {
        number = 0;
        int i = 2;
        int digits = 0;
        int scale = 0;
        bool pointSeen = false;
        for (; i < text.Length; i++)
        {
            if (text[i] == '.' && !pointSeen)
            {
                pointSeen = true;
                continue;
            }

            int digit = Digit(text[i]);
            if (digit >= 16)
                break;
            number = (number * 16) + digit;
            digits++;
            scale -= pointSeen ? 4 : 0;
        }

        if (digits == 0)
            return 1;
        if (i < text.Length && (text[i] | 0x20) == 'p')
        {
            int exponent = i + 1;
            bool negative = exponent < text.Length && text[exponent] == '-';
            if (exponent < text.Length && text[exponent] is (byte)'-' or (byte)'+')
                exponent++;
            int length = exponent <= text.Length ? CountDigits(text[exponent..]) : 0;
            if (length > 0)
            {
                int power =
                    length > 6 ? 1_000_000 : int.Parse(text.Slice(exponent, length), NumberStyles.None, CultureInfo.InvariantCulture);
                scale += negative ? -power : power;
                i = exponent + length;
            }
        }

        if (scale != 0)
            number = Math.ScaleB(number, scale);
        return i;
    }
}
