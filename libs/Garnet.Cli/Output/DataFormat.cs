// What the formats for other programs have in common. Stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>One line a reply: numbers as they are, strings in the format's quotes, elements with commas between.</summary>
internal abstract class DataFormat : IReplyFormat
{
    /// <inheritdoc/>
    public void Append(ByteText text, RespValue reply)
    {
        AppendReply(text, reply);
        text.Append("\n"u8);
    }

    /// <summary>What precedes an error.</summary>
    protected abstract ReadOnlySpan<byte> ErrorMark { get; }

    /// <summary>What stands for the nulls.</summary>
    protected abstract ReadOnlySpan<byte> Null { get; }

    /// <summary>Adds a string.</summary>
    protected abstract void AppendString(ByteText text, ReadOnlySpan<byte> value);

    /// <summary>Adds an array, a set or a push.</summary>
    protected abstract void AppendArray(ByteText text, RespValue reply);

    /// <summary>Adds a map.</summary>
    protected abstract void AppendMap(ByteText text, RespValue reply);

    /// <summary>Adds any reply.</summary>
    protected void AppendReply(ByteText text, RespValue reply)
    {
        switch (reply.Kind)
        {
            case RespKind.Error or RespKind.BulkError:
                text.Append(ErrorMark);
                AppendString(text, reply.Bytes.Span);
                break;
            case RespKind.Integer:
                text.Append(reply.Integer);
                break;
            case RespKind.Double or RespKind.BigNumber:
                text.AppendValue(reply.Bytes.Span);
                break;
            case RespKind.NullBulkString or RespKind.NullArray or RespKind.Null:
                text.Append(Null);
                break;
            case RespKind.Boolean:
                text.Append(reply.Integer != 0 ? "true"u8 : "false"u8);
                break;
            case RespKind.Map:
                AppendMap(text, reply);
                break;
            case RespKind.Array or RespKind.Set or RespKind.Push:
                AppendArray(text, reply);
                break;
            default:
                AppendString(text, reply.Bytes.Span);
                break;
        }
    }

    /// <summary>Adds all children, with commas between.</summary>
    protected void AppendElements(ByteText text, RespValue reply)
    {
        for (int i = 0; i < reply.Children.Count; i++)
        {
            if (i > 0)
                text.Append(","u8);
            AppendReply(text, reply.Children[i]);
        }
    }
}
