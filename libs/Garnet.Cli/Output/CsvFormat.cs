// Replies as comma-separated values. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>One line a reply; nested elements and maps are flat.</summary>
internal sealed class CsvFormat : IReplyFormat
{
    /// <inheritdoc/>
    public void Append(ByteText text, RespValue reply)
    {
        AppendReply(text, reply);
        text.Append("\n"u8);
    }

    private static void AppendReply(ByteText text, RespValue reply)
    {
        switch (reply.Kind)
        {
            case RespKind.Error or RespKind.BulkError:
                text.Append("ERROR,"u8);
                text.AppendQuoted(reply.Bytes.Span);
                break;
            case RespKind.Integer:
                text.Append(reply.Integer);
                break;
            case RespKind.Double or RespKind.BigNumber:
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.NullBulkString or RespKind.NullArray or RespKind.Null:
                text.Append("NULL"u8);
                break;
            case RespKind.Boolean:
                text.Append(reply.Integer != 0 ? "true"u8 : "false"u8);
                break;
            case RespKind.Array or RespKind.Set or RespKind.Push or RespKind.Map:
                AppendElements(text, reply);
                break;
            default:
                text.AppendQuoted(reply.Bytes.Span);
                break;
        }
    }

    private static void AppendElements(ByteText text, RespValue reply)
    {
        for (int i = 0; i < reply.Children.Count; i++)
        {
            if (i > 0)
                text.Append(","u8);
            AppendReply(text, reply.Children[i]);
        }
    }
}
