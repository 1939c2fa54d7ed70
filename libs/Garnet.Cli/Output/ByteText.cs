// Output under construction, as bytes. One owner at a time.
using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace Garnet.Cli.Output;

/// <summary>A growing buffer with the ways in which values are written. What a value holds may be anything; see <see cref="AppendValue"/>.</summary>
/// <param name="showsControls">
/// Whether control characters of values are shown as \xHH: on a terminal they would be obeyed, and a value could move the cursor, set the
/// title or worse.
/// </param>
/// <param name="output">Takes the text, part by part where it is long, so that the largest reply needs no second copy; null to keep it.</param>
internal sealed class ByteText(bool showsControls, IOutput? output = null)
{
    // Shorter texts are written at once: what other programs write does not come between.
    private const int PartBytes = 64 * 1024;

    private readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>The text that has not been written yet.</summary>
    public ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    /// <summary>Writes what has not been written yet.</summary>
    public void Flush()
    {
        output?.Write(_bytes.WrittenSpan);
        _bytes.ResetWrittenCount();
    }

    /// <summary>Adds bytes that are known to be harmless.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (output is not null && _bytes.WrittenCount + bytes.Length > PartBytes)
        {
            Flush();
            for (; bytes.Length > PartBytes; bytes = bytes[PartBytes..])
                output.Write(bytes[..PartBytes]);
        }

        _bytes.Write(bytes);
    }

    /// <summary>Adds a text that is known to be harmless.</summary>
    public void Append(ReadOnlySpan<char> text) => Encoding.UTF8.GetBytes(text, _bytes);

    /// <summary>Adds a number.</summary>
    public void Append(long number)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(number, digits, out int written);
        Append(digits[..written]);
    }

    /// <summary>Adds a number, with spaces before it up to a width.</summary>
    public void AppendAligned(int number, int width)
    {
        Span<byte> digits = stackalloc byte[11];
        Utf8Formatter.TryFormat(number, digits, out int written);
        AppendSpaces(width - written);
        Append(digits[..written]);
    }

    /// <summary>Adds spaces.</summary>
    public void AppendSpaces(int count)
    {
        if (count <= 0)
            return;
        _bytes.GetSpan(count)[..count].Fill((byte)' ');
        _bytes.Advance(count);
    }

    /// <summary>Adds what came from the server, as it is; on a terminal with control characters shown.</summary>
    public void AppendValue(ReadOnlySpan<byte> value)
    {
        if (!showsControls)
            Append(value);
        else
            AppendShown(value);
    }

    /// <summary>Adds what came from the server between double quotes, with all but printable ASCII escaped.</summary>
    public void AppendQuoted(ReadOnlySpan<byte> value)
    {
        Append("\""u8);
        AppendEscaped(value);
        Append("\""u8);
    }

    /// <summary>As <see cref="AppendQuoted"/>, without the quotes.</summary>
    public void AppendEscaped(ReadOnlySpan<byte> value)
    {
        while (!value.IsEmpty)
        {
            int plain = value.IndexOfAnyExcept(Plain);
            if (plain < 0)
                plain = value.Length;
            Append(value[..plain]);
            value = value[plain..];
            if (value.IsEmpty)
                break;
            AppendEscape(value[0]);
            value = value[1..];
        }
    }

    private static readonly SearchValues<byte> Plain = SearchValues.Create(
        " !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"u8
    );

    private void AppendEscape(byte value)
    {
        switch (value)
        {
            case (byte)'\\' or (byte)'"':
                Append([(byte)'\\', value]);
                break;
            case (byte)'\n':
                Append("\\n"u8);
                break;
            case (byte)'\r':
                Append("\\r"u8);
                break;
            case (byte)'\t':
                Append("\\t"u8);
                break;
            case (byte)'\a':
                Append("\\a"u8);
                break;
            case (byte)'\b':
                Append("\\b"u8);
                break;
            default:
                AppendHex(value);
                break;
        }
    }

    private void AppendHex(byte value) => Append([(byte)'\\', (byte)'x', HexDigit(value >> 4), HexDigit(value & 15)]);

    private static byte HexDigit(int value) => (byte)(value < 10 ? '0' + value : 'a' + value - 10);

    // Line ends and tabs stay; other control characters (C0, DEL and, in UTF-8, C1), marks that change the direction of the text, and bytes
    // that are no UTF-8 are shown.
    private void AppendShown(ReadOnlySpan<byte> value)
    {
        int harmless = 0;
        while (harmless < value.Length)
        {
            ReadOnlySpan<byte> rest = value[harmless..];
            OperationStatus status = Rune.DecodeFromUtf8(rest, out Rune rune, out int length);
            bool isHarmless = status == OperationStatus.Done && (rune.Value is '\n' or '\t' || !IsObeyed(rune));
            bool isLineEnd = rune.Value == '\r' && rest.Length > 1 && rest[1] == '\n';
            if (isHarmless || isLineEnd)
            {
                harmless += length;
                continue;
            }

            Append(value[..harmless]);
            foreach (byte each in rest[..length])
                AppendHex(each);
            value = rest[length..];
            harmless = 0;
        }

        Append(value);
    }

    private static bool IsObeyed(Rune rune) => Rune.IsControl(rune) || rune.Value is (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
