// C's %e, %f and %g conversions. Stateless; any thread.
using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Garnet.Lua.Values;

/// <summary>Writes doubles as printf does, with exact digits.</summary>
internal static class GeneralFormat
{
    private const int MaxDigits = 1100;

    /// <summary>Writes <c>%.{precision}g</c> and gives the number of bytes.</summary>
    public static int Write(double number, int precision, Span<byte> buffer, bool alternative = false)
    {
        int length = WriteSpecial(number, buffer);
        if (length > 0)
            return length;
        precision = Math.Max(1, precision);
        Span<byte> scientific = stackalloc byte[MaxDigits];
        int used = WriteScientific(number, precision - 1, scientific);
        int mark = scientific[..used].IndexOf((byte)'e');
        Utf8Parser.TryParse(scientific[(mark + 1)..used], out int exponent, out _);
        if (exponent < -4 || exponent >= precision)
        {
            int kept = alternative ? mark : TrimZeros(scientific[..mark]);
            scientific[..kept].CopyTo(buffer);
            scientific[mark..used].CopyTo(buffer[kept..]);
            return kept + used - mark;
        }

        int written = WriteFixed(number, precision - 1 - exponent, buffer);
        return alternative ? written : TrimZeros(buffer[..written]);
    }

    /// <summary>Writes <c>%.{precision}e</c>.</summary>
    public static int WriteScientific(double number, int precision, Span<byte> buffer)
    {
        int special = WriteSpecial(number, buffer);
        if (special > 0)
            return special;
        // The runtime writes at least three digits of exponent, C at least two.
        Span<char> format = stackalloc char[8];
        number.TryFormat(buffer, out int written, FormatText('e', precision, format), CultureInfo.InvariantCulture);
        int sign = buffer[..written].IndexOf((byte)'e') + 1;
        Span<byte> exponent = buffer[(sign + 1)..written];
        int zeros = 0;
        while (exponent.Length - zeros > 2 && exponent[zeros] == '0')
            zeros++;
        exponent[zeros..].CopyTo(exponent);
        return written - zeros;
    }

    /// <summary>Writes <c>%.{precision}f</c>.</summary>
    public static int WriteFixed(double number, int precision, Span<byte> buffer)
    {
        int special = WriteSpecial(number, buffer);
        if (special > 0)
            return special;
        Span<char> format = stackalloc char[8];
        number.TryFormat(buffer, out int written, FormatText('F', precision, format), CultureInfo.InvariantCulture);
        return written;
    }

    private static ReadOnlySpan<char> FormatText(char letter, int precision, Span<char> text)
    {
        text[0] = letter;
        precision.TryFormat(text[1..], out int digits, provider: CultureInfo.InvariantCulture);
        return text[..(digits + 1)];
    }

    private static int WriteSpecial(double number, Span<byte> buffer)
    {
        if (double.IsFinite(number))
            return 0;
        string text =
            double.IsNaN(number) ? (double.IsNegative(number) ? "-nan" : "nan")
            : number > 0 ? "inf"
            : "-inf";
        return Encoding.ASCII.GetBytes(text, buffer);
    }

    private static int TrimZeros(ReadOnlySpan<byte> text)
    {
        if (!text.Contains((byte)'.'))
            return text.Length;
        int length = text.TrimEnd((byte)'0').Length;
        return text[length - 1] == '.' ? length - 1 : length;
    }
}
