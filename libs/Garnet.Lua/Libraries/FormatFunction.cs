// string.format. Stateless; runs on the thread that runs the state.
using System.Globalization;
using System.Text;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>C's printf with the conversions c d i o u x X e E f g G q s, and at most two digits for width and precision.</summary>
internal static class FormatFunction
{
    private const int MaxFlags = 5;
    private const int LongString = 100;
    private const int MaxNumberBytes = 512;
    private const double ManyDigits = 1e20;

    public static int Format(NativeCall call)
    {
        ReadOnlySpan<byte> format = call.CheckString(1).Span;
        call.State.ChargeInstructions(format.Length >> 4);
        ByteBuilder result = call.State.Builders.Rent();
        int argument = 1;
        int i = 0;
        while (i < format.Length)
        {
            int percent = format[i..].IndexOf((byte)'%');
            if (percent != 0)
            {
                int literal = percent < 0 ? format.Length - i : percent;
                result.Append(format.Slice(i, literal));
                i += literal;
                continue;
            }

            i++;
            if (i < format.Length && format[i] == '%')
            {
                result.Append((byte)'%');
                i++;
                continue;
            }

            if (++argument > call.Count)
                throw call.ArgumentError(argument, "no value");
            Specification specification = Parse(call, format, ref i);
            byte conversion = i < format.Length ? format[i] : (byte)0;
            i++;
            call.State.ChargeInstructions(WorkOf(call[argument], conversion));
            Convert(call, result, argument, specification, conversion);
        }

        var text = result.ToLuaString();
        call.State.Builders.Return(result);
        return call.Return(new LuaValue(text));
    }

    // Texts are searched for their end or quoted byte by byte; the digits of a large number take longest.
    private static int WorkOf(in LuaValue value, byte conversion) =>
        value.Object is LuaString text ? 5 + (text.Length >> (conversion == 'q' ? 2 : 4))
        : conversion == 'f' && Math.Abs(value.Number) > ManyDigits ? 500
        : 20;

    private static Specification Parse(NativeCall call, ReadOnlySpan<byte> format, ref int i)
    {
        int first = i;
        bool left = false;
        bool plus = false;
        bool space = false;
        bool alternative = false;
        bool zero = false;
        for (; i < format.Length && format[i] is (byte)'-' or (byte)'+' or (byte)' ' or (byte)'#' or (byte)'0'; i++)
        {
            left |= format[i] == '-';
            plus |= format[i] == '+';
            space |= format[i] == ' ';
            alternative |= format[i] == '#';
            zero |= format[i] == '0';
        }

        if (i - first > MaxFlags)
            throw call.Error("invalid format (repeated flags)");
        int width = TwoDigits(format, ref i, 0);
        int precision = -1;
        if (i < format.Length && format[i] == '.')
        {
            i++;
            precision = TwoDigits(format, ref i, 0);
        }

        if (i < format.Length && CharacterClass.IsDigit(format[i]))
            throw call.Error("invalid format (width or precision too long)");
        return new Specification(left, plus, space, alternative, zero, width, precision);
    }

    private static int TwoDigits(ReadOnlySpan<byte> format, ref int i, int otherwise)
    {
        int value = otherwise;
        for (int digits = 0; digits < 2 && i < format.Length && CharacterClass.IsDigit(format[i]); digits++, i++)
            value = (value * 10) + format[i] - '0';
        return value;
    }

    private static void Convert(NativeCall call, ByteBuilder result, int argument, Specification specification, byte conversion)
    {
        switch (conversion)
        {
            case (byte)'c':
            {
                byte value = (byte)NumberText.ToLong(call.CheckNumber(argument));
                // C's strings end at a NUL.
                ReadOnlySpan<byte> text = value == 0 ? [] : [value];
                if (value != 0)
                    Pad(result, specification with { Zero = false }, text);
                else if (!specification.Left)
                    result.Append((byte)' ', Math.Max(0, specification.Width - 1));
                break;
            }

            case (byte)'d'
            or (byte)'i':
                AppendInteger(result, specification, NumberText.ToLong(call.CheckNumber(argument)));
                break;
            case (byte)'o' or (byte)'u' or (byte)'x' or (byte)'X':
                AppendUnsigned(result, specification, conversion, ToUnsigned(call.CheckNumber(argument)));
                break;
            case (byte)'e' or (byte)'E' or (byte)'f' or (byte)'g' or (byte)'G':
                AppendDouble(result, specification, conversion, call.CheckNumber(argument));
                break;
            case (byte)'q':
                AppendQuoted(result, call.CheckString(argument).Span);
                break;
            case (byte)'s':
                AppendString(result, specification, call.CheckString(argument).Span);
                break;
            default:
                string shown = conversion == 0 ? "" : ((char)conversion).ToString();
                throw call.Error($"invalid option '%{shown}' to 'format'");
        }
    }

    // C's conversion to an unsigned integer on x86-64.
    private static ulong ToUnsigned(double number) =>
        number < 9.2233720368547758E18 ? unchecked((ulong)NumberText.ToLong(number))
        : number < 1.8446744073709552E19 ? (ulong)(number - 9.2233720368547758E18) + (1UL << 63)
        : 0;

    private static void AppendString(ByteBuilder result, Specification specification, ReadOnlySpan<byte> text)
    {
        if (specification.Precision < 0 && text.Length >= LongString)
        {
            result.Append(text);
            return;
        }

        int end = text.IndexOf((byte)0);
        if (end >= 0)
            text = text[..end];
        if (specification.Precision >= 0 && specification.Precision < text.Length)
            text = text[..specification.Precision];
        Pad(result, specification with { Zero = false }, text);
    }

    private static void AppendQuoted(ByteBuilder result, ReadOnlySpan<byte> text)
    {
        result.Append((byte)'"');
        foreach (byte c in text)
        {
            switch (c)
            {
                case (byte)'"' or (byte)'\\' or (byte)'\n':
                    result.Append((byte)'\\');
                    result.Append(c);
                    break;
                case (byte)'\r':
                    result.Append("\\r"u8);
                    break;
                case 0:
                    result.Append("\\000"u8);
                    break;
                default:
                    result.Append(c);
                    break;
            }
        }

        result.Append((byte)'"');
    }

    private static void AppendInteger(ByteBuilder result, Specification specification, long value)
    {
        string digits = value == long.MinValue ? "9223372036854775808" : Math.Abs(value).ToString(CultureInfo.InvariantCulture);
        AppendDigits(result, specification, SignOf(specification, value < 0), digits, value == 0);
    }

    private static void AppendUnsigned(ByteBuilder result, Specification specification, byte conversion, ulong value)
    {
        string digits = conversion switch
        {
            (byte)'o' => System.Convert.ToString(unchecked((long)value), 8),
            (byte)'u' => value.ToString(CultureInfo.InvariantCulture),
            (byte)'x' => value.ToString("x", CultureInfo.InvariantCulture),
            _ => value.ToString("X", CultureInfo.InvariantCulture),
        };
        string prefix = "";
        if (specification.Alternative && value != 0)
        {
            if (conversion == 'o')
                digits = "0" + digits;
            else if (conversion != 'u')
                prefix = conversion == 'x' ? "0x" : "0X";
        }

        AppendDigits(result, specification, prefix, digits, value == 0);
    }

    private static void AppendDigits(ByteBuilder result, Specification specification, string prefix, string digits, bool isZero)
    {
        if (specification.Precision >= 0)
        {
            digits = specification.Precision == 0 && isZero ? "" : digits.PadLeft(specification.Precision, '0');
            specification = specification with { Zero = false };
        }

        PadNumber(result, specification, prefix, Encoding.ASCII.GetBytes(digits));
    }

    private static string SignOf(Specification specification, bool isNegative) =>
        isNegative ? "-"
        : specification.Plus ? "+"
        : specification.Space ? " "
        : "";

    private static void AppendDouble(ByteBuilder result, Specification specification, byte conversion, double value)
    {
        Span<byte> buffer = stackalloc byte[MaxNumberBytes];
        int precision = specification.Precision < 0 ? 6 : specification.Precision;
        double magnitude = Math.Abs(value);
        int length = (byte)(conversion | 0x20) switch
        {
            (byte)'e' => GeneralFormat.WriteScientific(magnitude, precision, buffer),
            (byte)'f' => GeneralFormat.WriteFixed(magnitude, precision, buffer),
            _ => GeneralFormat.Write(magnitude, precision, buffer, specification.Alternative),
        };
        Span<byte> text = buffer[..length];
        if (conversion is (byte)'E' or (byte)'G')
        {
            foreach (ref byte c in text)
                c = c is >= (byte)'a' and <= (byte)'z' ? (byte)(c - 32) : c;
        }

        if (!double.IsFinite(value))
            specification = specification with { Zero = false };
        PadNumber(result, specification, SignOf(specification, double.IsNegative(value)), text);
    }

    private static void PadNumber(ByteBuilder result, Specification specification, string prefix, ReadOnlySpan<byte> digits)
    {
        int missing = Math.Max(0, specification.Width - prefix.Length - digits.Length);
        if (!specification.Left && !specification.Zero)
            result.Append((byte)' ', missing);
        foreach (char c in prefix)
            result.Append((byte)c);
        if (!specification.Left && specification.Zero)
            result.Append((byte)'0', missing);
        result.Append(digits);
        if (specification.Left)
            result.Append((byte)' ', missing);
    }

    private static void Pad(ByteBuilder result, Specification specification, ReadOnlySpan<byte> text) =>
        PadNumber(result, specification, "", text);

    private readonly record struct Specification(bool Left, bool Plus, bool Space, bool Alternative, bool Zero, int Width, int Precision);
}
