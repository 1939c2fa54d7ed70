// Extended-precision numbers as text: the arguments and replies of INCRBYFLOAT. Stateless; any thread.
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Garnet.Protocol;

/// <summary>
/// Parses what C's strtold parses (decimal, hexadecimal, inf; no blanks, no NaN, nothing out of range) and formats with at most 17 decimals
/// and no trailing zeros. Ordinary numbers (up to 38 digits, 18 decimals) are converted without allocating.
/// </summary>
internal static class LongDoubleText
{
    /// <summary>The maximum length of a text in bytes: the largest value has 4933 digits.</summary>
    public const int MaxLength = 4960;

    // Longer texts are never numbers.
    private const int MaxTextLength = 5 * 1024 - 1;
    private const int MaxExactDigits = 38;
    private const int MaxExactDecimals = 18;
    private const int MaxHexDigits = 30;

    // Decimal exponents of the first digit beyond which every value overflows, or is zero.
    private const int OverflowDigits = 4940;
    private const int UnderflowDigits = -5000;
    private const int MaxExponentText = 100_000_000;

    private const int Decimals = 17;
    private const ulong DecimalScale = 100_000_000_000_000_000;

    /// <summary>Parses a whole text.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out LongDouble value)
    {
        value = default;
        if (text.IsEmpty || text.Length > MaxTextLength)
            return false;
        bool negative = text[0] == (byte)'-';
        ReadOnlySpan<byte> magnitude = negative || text[0] == (byte)'+' ? text[1..] : text;
        if (Ascii.EqualsIgnoreCase(magnitude, "inf"u8) || Ascii.EqualsIgnoreCase(magnitude, "infinity"u8))
        {
            value = LongDouble.Infinity(negative);
            return true;
        }
        bool isZero;
        if (magnitude.Length > 2 && magnitude[0] == (byte)'0' && (magnitude[1] | 0x20) == 'x')
        {
            if (!TryParseHexadecimal(magnitude[2..], negative, out value, out isZero))
                return false;
        }
        else if (!TryParseDecimal(magnitude, negative, out value, out isZero))
        {
            return false;
        }
        return value.IsFinite && (isZero || !value.IsZero);
    }

    /// <summary>Writes the text of a value and returns its length; the destination must have <see cref="MaxLength"/> bytes.</summary>
    public static int Format(LongDouble value, Span<byte> destination)
    {
        if (!value.IsFinite)
        {
            ReadOnlySpan<byte> name =
                value.IsNaN ? "nan"u8
                : value.IsNegative ? "-inf"u8
                : "inf"u8;
            name.CopyTo(destination);
            return name.Length;
        }
        destination[0] = (byte)'-';
        int sign = value.IsNegative ? 1 : 0;
        int length =
            value.Exponent >= 0
                ? FormatInteger(value, destination[sign..])
                : FormatFraction(value.Significand, -value.Exponent, destination[sign..]);

        // Minus zero, and values that round to it, are written without the sign.
        if (length == 1 && destination[sign] == (byte)'0')
        {
            destination[0] = (byte)'0';
            return 1;
        }
        return sign + length;
    }

    private static int FormatInteger(LongDouble value, Span<byte> destination)
    {
        int written;
        if (value.Exponent <= 128 - LongDouble.SignificandBits)
        {
            ((UInt128)value.Significand << value.Exponent).TryFormat(destination, out written, default, CultureInfo.InvariantCulture);
            return written;
        }
        string digits = (new BigInteger(value.Significand) << value.Exponent).ToString(CultureInfo.InvariantCulture);
        return Encoding.ASCII.GetBytes(digits, destination);
    }

    // significand / 2^bits with 17 decimals, rounded half to even.
    private static int FormatFraction(ulong significand, int bits, Span<byte> destination)
    {
        UInt128 integer = bits < 64 ? significand >> bits : 0;
        ulong fraction = bits < 64 ? significand & ((1UL << bits) - 1) : significand;
        UInt128 decimals = 0;
        if (bits < 128)
        {
            // fraction < 2^64 and the scale < 2^57, so the product is exact; from 128 bits on it is below half of the last decimal.
            UInt128 scaled = (UInt128)fraction * DecimalScale;
            UInt128 half = UInt128.One << (bits - 1);
            UInt128 rest = scaled & ((half << 1) - 1);
            decimals = scaled >> bits;
            if (rest > half || (rest == half && (decimals & 1) != 0))
                decimals++;
        }
        if (decimals == DecimalScale)
        {
            integer++;
            decimals = 0;
        }
        ((ulong)integer).TryFormat(destination, out int length, default, CultureInfo.InvariantCulture);
        if (decimals == 0)
            return length;
        destination[length++] = (byte)'.';
        ulong left = (ulong)decimals;
        for (int i = Decimals - 1; i >= 0; i--)
        {
            (left, ulong digit) = Math.DivRem(left, 10);
            destination[length + i] = (byte)('0' + digit);
        }
        return length + destination.Slice(length, Decimals).TrimEnd((byte)'0').Length;
    }

    // digits [ "." digits ] [ e [sign] digits ]
    private static bool TryParseDecimal(ReadOnlySpan<byte> text, bool negative, out LongDouble value, out bool isZero)
    {
        value = default;
        isZero = true;
        UInt128 digits = 0;
        int significant = 0;
        int pendingZeros = 0;
        int decimals = 0;
        bool any = false;
        bool point = false;
        int i = 0;
        for (; i < text.Length; i++)
        {
            uint digit = (uint)(text[i] - '0');
            if (text[i] == (byte)'.' && !point)
            {
                point = true;
                continue;
            }
            if (digit > 9)
                break;
            any = true;
            decimals += point ? 1 : 0;
            if (digit == 0)
            {
                // Zeros count only when a digit follows; trailing ones go into the exponent.
                pendingZeros += isZero ? 0 : 1;
                continue;
            }
            isZero = false;
            significant += pendingZeros + 1;
            if (significant <= MaxExactDigits)
                digits = digits * PowerOfTen(pendingZeros + 1) + digit;
            pendingZeros = 0;
        }
        if (!any || !TryParseExponent(text[i..], 'e', out int exponent))
            return false;
        if (isZero)
        {
            value = LongDouble.Round(negative, 0, 0, isInexact: false);
            return true;
        }
        value = Scale(text[..i], digits, significant, exponent - decimals + pendingZeros, negative);
        return true;
    }

    // digits * 10^power, rounded once. Where the digits did not fit they are parsed again from the text.
    private static LongDouble Scale(ReadOnlySpan<byte> text, UInt128 digits, int significant, int power, bool negative)
    {
        int first = significant + power;
        if (first > OverflowDigits)
            return LongDouble.Infinity(negative);
        if (first < UnderflowDigits)
            return LongDouble.Round(negative, 0, 0, isInexact: false);
        if (power >= 0 && first <= MaxExactDigits)
            return LongDouble.Round(negative, digits * PowerOfTen(power), 0, isInexact: false);
        if (power < 0 && power >= -MaxExactDecimals && significant <= MaxExactDigits)
        {
            int up = (int)UInt128.LeadingZeroCount(digits);
            (UInt128 quotient, UInt128 rest) = UInt128.DivRem(digits << up, PowerOfTen(-power));
            return LongDouble.Round(negative, quotient, -up, rest != 0);
        }
        return ScaleExactly(text, power, negative);
    }

    private static LongDouble ScaleExactly(ReadOnlySpan<byte> text, int power, bool negative)
    {
        string all = Encoding.ASCII.GetString(text).Replace(".", "", StringComparison.Ordinal).TrimEnd('0');
        var numerator = BigInteger.Parse(all, NumberStyles.None, CultureInfo.InvariantCulture);
        BigInteger denominator = BigInteger.One;
        if (power >= 0)
            numerator *= BigInteger.Pow(10, power);
        else
            denominator = BigInteger.Pow(10, -power);

        // A quotient of 66 or 67 bits: enough to round once, and it fits.
        int up = LongDouble.SignificandBits + 3 - (int)(numerator.GetBitLength() - denominator.GetBitLength());
        if (up >= 0)
            numerator <<= up;
        else
            denominator <<= -up;
        var quotient = BigInteger.DivRem(numerator, denominator, out BigInteger rest);
        return LongDouble.Round(negative, (UInt128)quotient, -up, !rest.IsZero);
    }

    // hex digits [ "." hex digits ] [ p [sign] digits ]
    private static bool TryParseHexadecimal(ReadOnlySpan<byte> text, bool negative, out LongDouble value, out bool isZero)
    {
        value = default;
        isZero = true;
        UInt128 digits = 0;
        int significant = 0;
        int exponent = 0;
        bool inexact = false;
        bool any = false;
        bool point = false;
        int i = 0;
        for (; i < text.Length; i++)
        {
            if (text[i] == (byte)'.' && !point)
            {
                point = true;
                continue;
            }
            if (!char.IsAsciiHexDigit((char)text[i]))
                break;
            int digit = text[i] <= '9' ? text[i] - '0' : (text[i] | 0x20) - 'a' + 10;
            any = true;
            isZero &= digit == 0;
            significant += isZero ? 0 : 1;
            if (significant <= MaxHexDigits)
            {
                digits = (digits << 4) | (UInt128)(uint)digit;
                exponent -= point ? 4 : 0;
            }
            else
            {
                inexact |= digit != 0;
                exponent += point ? 0 : 4;
            }
        }
        if (!any || !TryParseExponent(text[i..], 'p', out int binaryExponent))
            return false;
        value = LongDouble.Round(negative, digits, exponent + binaryExponent, inexact);
        return true;
    }

    private static bool TryParseExponent(ReadOnlySpan<byte> text, char letter, out int exponent)
    {
        exponent = 0;
        if (text.IsEmpty)
            return true;
        if ((text[0] | 0x20) != letter)
            return false;
        ReadOnlySpan<byte> digits = text[1..];
        bool negative = !digits.IsEmpty && digits[0] == (byte)'-';
        if (negative || (!digits.IsEmpty && digits[0] == (byte)'+'))
            digits = digits[1..];
        if (digits.IsEmpty)
            return false;
        foreach (byte digit in digits)
        {
            if (!char.IsAsciiDigit((char)digit))
                return false;
            exponent = Math.Min(exponent * 10 + (digit - '0'), MaxExponentText);
        }
        exponent = negative ? -exponent : exponent;
        return true;
    }

    private static UInt128 PowerOfTen(int power)
    {
        UInt128 result = 1;
        for (int i = 0; i < power; i++)
            result *= 10;
        return result;
    }
}
