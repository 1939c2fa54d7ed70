// Replies for programs: the bytes of values. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>Elements and replies with delimiters between them, nothing else.</summary>
/// <param name="elementDelimiter">Stands between the elements of a reply.</param>
/// <param name="replyDelimiter">Stands after a reply.</param>
internal sealed class RawFormat(byte[] elementDelimiter, byte[] replyDelimiter) : IReplyFormat
{
    /// <inheritdoc/>
    public void Append(ByteText text, RespValue reply)
    {
        AppendReply(text, reply);
        text.Append(replyDelimiter);
    }

    /// <summary>Adds a reply without the delimiter after it.</summary>
    public void AppendReply(ByteText text, RespValue reply)
    {
        switch (reply.Kind)
        {
            case RespKind.NullBulkString or RespKind.NullArray or RespKind.Null:
                break;
            case RespKind.Error or RespKind.BulkError:
                text.AppendValue(reply.Bytes.Span);
                text.Append("\n"u8);
                break;
            case RespKind.Boolean:
                text.Append(reply.Integer != 0 ? "(true)"u8 : "(false)"u8);
                break;
            case RespKind.Integer:
                text.Append(reply.Integer);
                break;
            case RespKind.Array or RespKind.Set or RespKind.Push or RespKind.Map:
                AppendElements(text, reply);
                break;
            default:
                text.AppendValue(reply.Bytes.Span);
                break;
        }
    }

    private void AppendElements(ByteText text, RespValue reply)
    {
        bool isMap = reply.Kind == RespKind.Map;
        for (int i = 0; i < reply.Children.Count; i++)
        {
            if (i > 0 && isMap && i % 2 == 1)
                text.Append(" "u8);
            else if (i > 0)
                text.Append(elementDelimiter);
            AppendReply(text, reply.Children[i]);
        }
    }
}
