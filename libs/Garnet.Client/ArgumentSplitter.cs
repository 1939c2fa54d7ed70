// Splits a line into arguments. Pure functions.
namespace Garnet.Client;

/// <summary>
/// The rules of the line: spaces separate; "double quotes" take \n, \r, \t, \b, \a, \xHH and a backslash before any other character; 'single
/// quotes' take \' alone. Quotes may begin and end in the middle of an argument.
/// </summary>
internal static class ArgumentSplitter
{
    /// <summary>The arguments; null where a quote is not closed.</summary>
    public static byte[][]? TrySplit(ReadOnlySpan<byte> line)
    {
        var arguments = new List<byte[]>();
        var current = new List<byte>();
        int at = 0;
        while (true)
        {
            while (at < line.Length && IsSpace(line[at]))
                at++;
            if (at == line.Length || line[at] == 0)
                return [.. arguments];
            current.Clear();
            if (!TryTake(line, ref at, current))
                return null;
            arguments.Add([.. current]);
        }
    }

    /// <summary>The bytes that a quoted text stands for; null where it is not one argument.</summary>
    public static byte[]? TryUnquote(ReadOnlySpan<byte> text) => TrySplit(text) is [var one] ? one : null;

    private static bool TryTake(ReadOnlySpan<byte> line, ref int at, List<byte> current)
    {
        while (at < line.Length && line[at] != 0 && !IsSpace(line[at]))
        {
            byte next = line[at++];
            if (next is not ((byte)'"' or (byte)'\''))
                current.Add(next);
            else if (!TryTakeQuoted(line, ref at, current, next))
                return false;
        }

        return true;
    }

    private static bool TryTakeQuoted(ReadOnlySpan<byte> line, ref int at, List<byte> current, byte quote)
    {
        while (at < line.Length)
        {
            byte next = line[at++];
            if (next == quote)
                return true;
            if (next == '\\' && at < line.Length && (quote == '"' || line[at] == '\''))
                current.Add(TakeEscape(line, ref at, quote));
            else
                current.Add(next);
        }

        return false;
    }

    private static byte TakeEscape(ReadOnlySpan<byte> line, ref int at, byte quote)
    {
        byte kind = line[at++];
        if (quote == '\'')
            return kind;
        if (kind == 'x' && at + 1 < line.Length && char.IsAsciiHexDigit((char)line[at]) && char.IsAsciiHexDigit((char)line[at + 1]))
        {
            at += 2;
            return (byte)((HexValue(line[at - 2]) << 4) | HexValue(line[at - 1]));
        }

        return kind switch
        {
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            (byte)'b' => (byte)'\b',
            (byte)'a' => (byte)'\a',
            _ => kind,
        };
    }

    private static int HexValue(byte digit) => char.IsAsciiDigit((char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;

    private static bool IsSpace(byte value) => value is (byte)' ' or (byte)'\n' or (byte)'\r' or (byte)'\t' or 0x0B or 0x0C;
}
