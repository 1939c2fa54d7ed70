// Splits one inline request line into arguments. Stateless; writes into the connection's argument table.
namespace Garnet.Protocol;

/// <summary>
/// The quoting rules of inline requests: blanks separate words; "..." supports \n \r \t \b \a \xHH and \c for c itself; '...' only \';
/// quotes may open and close inside a word. Words without quotes stay in place in the buffer, others are unescaped into the table's scratch
/// area.
/// </summary>
internal static class InlineSplitter
{
    /// <summary>Adds the words of buffer[start..end] after the table's count without committing them.</summary>
    /// <returns>The number of words, or -1 when a quote is not closed.</returns>
    public static int Split(ReadOnlySpan<byte> buffer, int start, int end, ArgumentTable table)
    {
        int count = 0;
        int position = start;
        while (true)
        {
            while (position < end && IsBlank(buffer[position]))
                position++;
            if (position >= end)
                return count;

            int slot = table.Count + count;
            ArgumentRange[] slots = table.Grow(slot);
            int wordEnd = position;
            while (wordEnd < end && !EndsWord(buffer[wordEnd]) && !IsQuote(buffer[wordEnd]))
                wordEnd++;
            if (wordEnd == end || !IsQuote(buffer[wordEnd]))
            {
                slots[slot] = new ArgumentRange(position, wordEnd - position);
                position = wordEnd;
            }
            else
            {
                // Unescaping never lengthens a word.
                Span<byte> scratch = table.ReserveScratch(end - position);
                int length = Unescape(buffer[..end], ref position, scratch);
                if (length < 0)
                    return -1;
                slots[slot] = table.CommitScratch(length);
            }
            count++;
        }
    }

    private static int Unescape(ReadOnlySpan<byte> line, ref int position, Span<byte> destination)
    {
        int written = 0;
        int p = position;
        byte quote = 0;
        while (p < line.Length)
        {
            byte current = line[p];
            if (quote == 0)
            {
                if (EndsWord(current))
                    break;
                if (IsQuote(current))
                    quote = current;
                else
                    destination[written++] = current;
                p++;
            }
            else if (current == quote)
            {
                quote = 0;
                p++;
            }
            else if (current == (byte)'\\' && p + 2 < line.Length)
            {
                // An escape must leave the closing quote: a backslash before the line's last character is literal.
                destination[written++] = quote == (byte)'"' ? UnescapeDouble(line, ref p) : UnescapeSingle(line, ref p);
            }
            else
            {
                destination[written++] = current;
                p++;
            }
        }
        position = p;
        return quote == 0 ? written : -1;
    }

    private static byte UnescapeDouble(ReadOnlySpan<byte> line, ref int p)
    {
        byte escaped = line[p + 1];
        if (
            escaped == (byte)'x'
            && p + 3 < line.Length
            && char.IsAsciiHexDigit((char)line[p + 2])
            && char.IsAsciiHexDigit((char)line[p + 3])
        )
        {
            int value = (HexDigit(line[p + 2]) << 4) | HexDigit(line[p + 3]);
            p += 4;
            return (byte)value;
        }
        p += 2;
        return escaped switch
        {
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            (byte)'b' => (byte)'\b',
            (byte)'a' => (byte)'\a',
            _ => escaped,
        };
    }

    private static byte UnescapeSingle(ReadOnlySpan<byte> line, ref int p)
    {
        if (line[p + 1] == (byte)'\'')
        {
            p += 2;
            return (byte)'\'';
        }
        p++;
        return (byte)'\\';
    }

    private static int HexDigit(byte digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;

    private static bool IsQuote(byte value) => value is (byte)'"' or (byte)'\'';

    // isspace in the C locale: more characters than those that end a word.
    private static bool IsBlank(byte value) => value is (byte)' ' or (>= (byte)'\t' and <= (byte)'\r');

    private static bool EndsWord(byte value) => value is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n';
}
