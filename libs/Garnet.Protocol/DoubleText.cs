// Doubles as text, in the forms of scores and RESP3 doubles. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.Protocol;

/// <summary>
/// Parses and formats doubles exactly in the protocol's forms: "inf", "-inf", integers without a point, "1e+21" for large ones.
/// </summary>
internal static class DoubleText
{
    /// <summary>The maximum length of a text in bytes.</summary>
    public const int MaxLength = 32;

    // Integers up to 2^62 are written as integers.
    private const double MaxPlainInteger = 4611686018427387904.0;
    private const int MaxScientificDigits = 18;

    /// <summary>
    /// Parses a whole text: sign, digits with at most one point, exponent; or inf, infinity in any case. Rejects blanks, hexadecimal, NaN,
    /// and values too large or too small for a double.
    /// </summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out double value)
    {
        if (IntegerText.TryParse(text, out long integer))
        {
            value = integer;
            return true;
        }
        value = 0;
        if (text.IsEmpty)
            return false;
        ReadOnlySpan<byte> magnitude = text[0] is (byte)'-' or (byte)'+' ? text[1..] : text;
        if (!HasDecimalForm(magnitude, out bool isZero))
        {
            if (!Ascii.EqualsIgnoreCase(magnitude, "inf"u8) && !Ascii.EqualsIgnoreCase(magnitude, "infinity"u8))
                return false;
            value = text[0] == (byte)'-' ? double.NegativeInfinity : double.PositiveInfinity;
            return true;
        }
        if (
            !double.TryParse(
                text,
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent,
                CultureInfo.InvariantCulture,
                out value
            )
        )
        {
            return false;
        }

        return double.IsFinite(value) && (value != 0 || isZero);
    }

    /// <summary>Writes the text of a value and returns its length; the destination must have <see cref="MaxLength"/> bytes.</summary>
    public static int Format(double value, Span<byte> destination)
    {
        if (value != 0 && Math.Abs(value) <= MaxPlainInteger && (long)value == value)
            return IntegerText.Format((long)value, destination);
        return FormatShortest(value, destination);
    }

    /// <summary>As <see cref="Format"/>, but without a special form for integers: many zeros become an exponent.</summary>
    public static int FormatShortest(double value, Span<byte> destination)
    {
        if (value == 0)
            return Copy(double.IsNegative(value) ? "-0"u8 : "0"u8, destination);
        if (!double.IsFinite(value))
        {
            return Copy(
                double.IsNaN(value) ? "nan"u8
                    : value > 0 ? "inf"u8
                    : "-inf"u8,
                destination
            );
        }

        Span<byte> digits = stackalloc byte[Grisu2.MaxDigits];
        int count = Grisu2.Digits(value, digits, out int power);
        bool negative = value < 0;
        if (negative)
        {
            destination[0] = (byte)'-';
            destination = destination[1..];
        }
        return Layout(digits[..count], power, negative, destination) + (negative ? 1 : 0);
    }

    // Positions the point: plain, with a point, or scientific.
    private static int Layout(ReadOnlySpan<byte> digits, int power, bool negative, Span<byte> destination)
    {
        int exponent = power + digits.Length - 1;
        int size = Math.Abs(exponent);
        if (power >= 0 && size < digits.Length + 7)
        {
            digits.CopyTo(destination);
            destination.Slice(digits.Length, power).Fill((byte)'0');
            return digits.Length + power;
        }
        if (power < 0 && (power > -7 || size < 4))
            return LayoutWithPoint(digits, digits.Length + power, destination);

        digits = digits[..Math.Min(digits.Length, MaxScientificDigits - (negative ? 1 : 0))];
        int length = 0;
        destination[length++] = digits[0];
        if (digits.Length > 1)
        {
            destination[length++] = (byte)'.';
            digits[1..].CopyTo(destination[length..]);
            length += digits.Length - 1;
        }
        destination[length++] = (byte)'e';
        destination[length++] = exponent < 0 ? (byte)'-' : (byte)'+';
        return length + IntegerText.Format(size, destination[length..]);
    }

    private static int LayoutWithPoint(ReadOnlySpan<byte> digits, int integerDigits, Span<byte> destination)
    {
        if (integerDigits <= 0)
        {
            int zeros = -integerDigits;
            destination[0] = (byte)'0';
            destination[1] = (byte)'.';
            destination.Slice(2, zeros).Fill((byte)'0');
            digits.CopyTo(destination[(2 + zeros)..]);
            return digits.Length + 2 + zeros;
        }
        digits[..integerDigits].CopyTo(destination);
        destination[integerDigits] = (byte)'.';
        digits[integerDigits..].CopyTo(destination[(integerDigits + 1)..]);
        return digits.Length + 1;
    }

    // digits [ "." digits ] [ e [sign] digits ], with a digit somewhere before the exponent.
    private static bool HasDecimalForm(ReadOnlySpan<byte> text, out bool isZero)
    {
        isZero = true;
        int i = 0;
        int digits = 0;
        bool point = false;
        for (; i < text.Length; i++)
        {
            byte current = text[i];
            if (current == (byte)'.' && !point)
            {
                point = true;
                continue;
            }
            if (!char.IsAsciiDigit((char)current))
                break;
            digits++;
            isZero &= current == (byte)'0';
        }
        if (digits == 0)
            return false;
        if (i == text.Length)
            return true;
        if ((text[i] | 0x20) != 'e')
            return false;
        ReadOnlySpan<byte> exponent = text[(i + 1)..];
        if (!exponent.IsEmpty && exponent[0] is (byte)'-' or (byte)'+')
            exponent = exponent[1..];
        return !exponent.IsEmpty && exponent.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0;
    }

    private static int Copy(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        text.CopyTo(destination);
        return text.Length;
    }
}
