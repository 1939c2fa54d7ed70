// C's %e, %f and %g conversions. Stateless; any thread.
using System.Buffers;
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
        string text = number.ToString("e" + precision.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
        // The runtime writes at least three digits of exponent, C at least two.
        int sign = text.IndexOf('e', StringComparison.Ordinal) + 1;
        string exponent = text[(sign + 1)..].TrimStart('0').PadLeft(2, '0');
        return Encoding.ASCII.GetBytes(string.Concat(text.AsSpan(0, sign + 1), exponent), buffer);
    }

    /// <summary>Writes <c>%.{precision}f</c>.</summary>
    public static int WriteFixed(double number, int precision, Span<byte> buffer)
    {
        int special = WriteSpecial(number, buffer);
        if (special > 0)
            return special;
        return Utf8Formatter.TryFormat(number, buffer, out int written, new StandardFormat('F', (byte)Math.Min(99, precision)))
            ? written
            : Encoding.ASCII.GetBytes(number.ToString("F" + precision.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture), buffer);
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
