// Replies as JSON. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>One line a reply. Strings are the bytes of values, or in ASCII with escapes of their own inside the strings.</summary>
/// <param name="isQuoted">Whether strings are in ASCII.</param>
internal sealed class JsonFormat(bool isQuoted) : DataFormat
{
    // Escapes are doubled part by part, so that a long value needs no second copy.
    private const int PartBytes = 16 * 1024;

    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> ErrorMark => "error:"u8;

    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> Null => "null"u8;

    /// <inheritdoc/>
    protected override void AppendArray(ByteText text, RespValue reply)
    {
        text.Append("["u8);
        AppendElements(text, reply);
        text.Append("]"u8);
    }

    /// <inheritdoc/>
    protected override void AppendMap(ByteText text, RespValue reply)
    {
        text.Append("{"u8);
        for (int i = 0; i < reply.Children.Count; i += 2)
        {
            if (i > 0)
                text.Append(","u8);
            AppendKey(text, reply.Children[i]);
            text.Append(":"u8);
            AppendReply(text, reply.Children[i + 1]);
        }

        text.Append("}"u8);
    }

    // The names in an object are strings; RESP3's keys are anything.
    private void AppendKey(ByteText text, RespValue key)
    {
        bool isString =
            key.Kind is RespKind.Error or RespKind.BulkError or RespKind.SimpleString or RespKind.BulkString or RespKind.VerbatimString;
        if (!isString)
            text.Append("\""u8);
        AppendReply(text, key);
        if (!isString)
            text.Append("\""u8);
    }

    /// <inheritdoc/>
    protected override void AppendString(ByteText text, ReadOnlySpan<byte> value)
    {
        if (isQuoted)
            AppendAscii(text, value);
        else
            AppendEscaped(text, value);
    }

    // The form of StandardFormat, in a JSON string: each backslash of it is doubled.
    private static void AppendAscii(ByteText text, ReadOnlySpan<byte> value)
    {
        text.Append("\""u8);
        var escaped = new ByteText(showsControls: false);
        for (; !value.IsEmpty; value = value[Math.Min(value.Length, PartBytes)..])
        {
            escaped.AppendEscaped(value[..Math.Min(value.Length, PartBytes)]);
            AppendDoubled(text, escaped.Written);
            escaped.Flush();
        }

        text.Append("\""u8);
    }

    private static void AppendDoubled(ByteText text, ReadOnlySpan<byte> rest)
    {
        for (int at = rest.IndexOf((byte)'\\'); at >= 0; at = rest.IndexOf((byte)'\\'))
        {
            text.Append(rest[..at]);
            text.Append("\\\\"u8);
            rest = rest[(at + 1)..];
        }

        text.Append(rest);
    }

    private static void AppendEscaped(ByteText text, ReadOnlySpan<byte> value)
    {
        text.Append("\""u8);
        int start = 0;
        for (int i = 0; i < value.Length; i++)
        {
            if (value[i] is >= 0x20 and not ((byte)'"' or (byte)'\\'))
                continue;
            text.AppendValue(value[start..i]);
            AppendEscape(text, value[i]);
            start = i + 1;
        }

        text.AppendValue(value[start..]);
        text.Append("\""u8);
    }

    private static void AppendEscape(ByteText text, byte value)
    {
        ReadOnlySpan<byte> escape = value switch
        {
            (byte)'\\' => "\\\\"u8,
            (byte)'"' => "\\\""u8,
            (byte)'\n' => "\\n"u8,
            (byte)'\f' => "\\f"u8,
            (byte)'\r' => "\\r"u8,
            (byte)'\t' => "\\t"u8,
            (byte)'\b' => "\\b"u8,
            _ => "\\u00"u8,
        };
        text.Append(escape);
        if (escape.Length == 4)
            text.Append([(byte)('0' + (value >> 4)), "0123456789abcdef"u8[value & 15]]);
    }
}
