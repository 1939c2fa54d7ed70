// Replies for people. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>Types in parentheses, strings in quotes, elements with their indices, one a line.</summary>
internal sealed class StandardFormat : IReplyFormat
{
    /// <inheritdoc/>
    public void Append(ByteText text, RespValue reply)
    {
        AppendReply(text, reply, 0);
        text.Append("\n"u8);
    }

    // Without the end of the last line.
    private static void AppendReply(ByteText text, RespValue reply, int indent)
    {
        switch (reply.Kind)
        {
            case RespKind.Error or RespKind.BulkError:
                text.Append("(error) "u8);
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.SimpleString or RespKind.VerbatimString:
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.Integer:
                text.Append("(integer) "u8);
                text.Append(reply.Integer);
                break;
            case RespKind.Double:
                text.Append("(double) "u8);
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.BigNumber:
                text.Append("(big number) "u8);
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.BulkString:
                text.AppendQuoted(reply.Bytes.Span);
                break;
            case RespKind.NullBulkString or RespKind.NullArray or RespKind.Null:
                text.Append("(nil)"u8);
                break;
            case RespKind.Boolean:
                text.Append(reply.Integer != 0 ? "(true)"u8 : "(false)"u8);
                break;
            default:
                AppendElements(text, reply, indent);
                break;
        }
    }

    private static void AppendElements(ByteText text, RespValue reply, int indent)
    {
        bool isMap = reply.Kind == RespKind.Map;
        int count = isMap ? reply.Children.Count / 2 : reply.Children.Count;
        if (count == 0)
        {
            text.Append(Empty(reply.Kind));
            return;
        }

        int width = DigitCount(count);
        int inner = indent + width + 2;
        for (int i = 0; i < count; i++)
        {
            if (i > 0)
            {
                text.Append("\n"u8);
                text.AppendSpaces(indent);
            }

            text.AppendAligned(i + 1, width);
            text.Append(Separator(reply.Kind));
            AppendReply(text, reply.Children[isMap ? i * 2 : i], inner);
            if (isMap)
                AppendMapped(text, reply.Children[(i * 2) + 1], inner);
        }
    }

    private static void AppendMapped(ByteText text, RespValue value, int indent)
    {
        text.Append(" => "u8);
        if (TakesSeveralLines(value))
        {
            text.Append("\n"u8);
            text.AppendSpaces(indent);
        }

        AppendReply(text, value, indent);
    }

    private static bool TakesSeveralLines(RespValue reply) =>
        reply.Kind switch
        {
            RespKind.Array or RespKind.Set or RespKind.Push => reply.Children.Count > 1
                || (reply.Children.Count == 1 && TakesSeveralLines(reply.Children[0])),
            RespKind.Map => reply.Children.Count > 2 || (reply.Children.Count == 2 && TakesSeveralLines(reply.Children[1])),
            _ => false,
        };

    private static ReadOnlySpan<byte> Empty(RespKind kind) =>
        kind switch
        {
            RespKind.Map => "(empty hash)"u8,
            RespKind.Set => "(empty set)"u8,
            RespKind.Push => "(empty push)"u8,
            _ => "(empty array)"u8,
        };

    private static ReadOnlySpan<byte> Separator(RespKind kind) =>
        kind switch
        {
            RespKind.Map => "# "u8,
            RespKind.Set => "~ "u8,
            _ => ") "u8,
        };

    private static int DigitCount(int number)
    {
        int digits = 1;
        for (; number >= 10; number /= 10)
            digits++;
        return digits;
    }
}
