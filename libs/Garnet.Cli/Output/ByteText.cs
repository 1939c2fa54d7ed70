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
internal sealed class ByteText(bool showsControls)
{
    private const int MaxKeptBytes = 1024 * 1024;

    private ArrayBufferWriter<byte> _bytes = new();

    /// <summary>The text so far.</summary>
    public ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    /// <summary>Empties it, and gives back memory that only a large reply needed.</summary>
    public void Clear()
    {
        if (_bytes.Capacity > MaxKeptBytes)
            _bytes = new ArrayBufferWriter<byte>();
        else
            _bytes.ResetWrittenCount();
    }

    /// <summary>Adds bytes that are known to be harmless.</summary>
    public void Append(ReadOnlySpan<byte> bytes) => _bytes.Write(bytes);

    /// <summary>Adds a text that is known to be harmless.</summary>
    public void Append(ReadOnlySpan<char> text) => Encoding.UTF8.GetBytes(text, _bytes);

    /// <summary>Adds a number.</summary>
    public void Append(long number)
    {
        Utf8Formatter.TryFormat(number, _bytes.GetSpan(20), out int written);
        _bytes.Advance(written);
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
        while (!value.IsEmpty)
        {
            int plain = value.IndexOfAnyExcept(Plain);
            if (plain < 0)
                plain = value.Length;
            Append(value[..plain]);
            value = value[plain..];
            if (value.IsEmpty)
                break;
            AppendEscaped(value[0]);
            value = value[1..];
        }

        Append("\""u8);
    }

    private static readonly SearchValues<byte> Plain = SearchValues.Create(
        " !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"u8
    );

    private void AppendEscaped(byte value)
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
        while (!value.IsEmpty)
        {
            OperationStatus status = Rune.DecodeFromUtf8(value, out Rune rune, out int length);
            bool isHarmless = status == OperationStatus.Done && (rune.Value is '\n' or '\t' || !IsObeyed(rune));
            bool isLineEnd = rune.Value == '\r' && value.Length > 1 && value[1] == '\n';
            if (isHarmless || isLineEnd)
            {
                Append(value[..length]);
            }
            else
            {
                foreach (byte each in value[..length])
                    AppendHex(each);
            }

            value = value[length..];
        }
    }

    private static bool IsObeyed(Rune rune) => Rune.IsControl(rune) || rune.Value is (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
