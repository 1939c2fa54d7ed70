// Prints replies on standard output. One thread.
using System.Text;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>Writes each reply in the chosen format, at once unless it is long.</summary>
/// <param name="options">The format.</param>
/// <param name="output">Takes the text.</param>
internal sealed class ReplyPrinter(OutputOptions options, IOutput output)
{
    private readonly ByteText _text = new(options.IsTerminal, output);
    private readonly IReplyFormat _format = FormatOf(options);
    private readonly RawFormat _plain = new([(byte)'\n'], []);

    /// <summary>Prints a reply.</summary>
    /// <param name="reply">The reply.</param>
    /// <param name="isPlain">Whether it is a text for people, as INFO's, which is not quoted.</param>
    public void Print(RespValue reply, bool isPlain = false)
    {
        if (isPlain)
            _plain.AppendReply(_text, reply);
        else
            _format.Append(_text, reply);
        _text.Flush();
    }

    /// <summary>Prints an unsolicited message of RESP3.</summary>
    public void PrintPush(RespValue push)
    {
        if (options.Format != OutputFormat.Standard || !IsInvalidation(push))
        {
            Print(push);
            return;
        }

        _text.Append("-> invalidate: "u8);
        IReadOnlyList<RespValue> keys = push.Children[1].Children;
        for (int i = 0; i < keys.Count; i++)
        {
            _text.Append(i > 0 ? ", '"u8 : "'"u8);
            _text.AppendValue(keys[i].Bytes.Span);
            _text.Append("'"u8);
        }

        _text.Append("\n"u8);
        _text.Flush();
    }

    /// <summary>Prints a line of this program's own, which may quote a server.</summary>
    public void PrintLine(string line)
    {
        _text.AppendValue(Encoding.UTF8.GetBytes(line));
        _text.Append("\n"u8);
        _text.Flush();
    }

    private static bool IsInvalidation(RespValue push) =>
        push.Kind == RespKind.Push
        && push.Children.Count == 2
        && push.Children[0].Bytes.Span.SequenceEqual("invalidate"u8)
        && push.Children[1].Kind == RespKind.Array;

    private static IReplyFormat FormatOf(OutputOptions options) =>
        options.Format switch
        {
            OutputFormat.Raw => new RawFormat(options.ElementDelimiter, options.ReplyDelimiter),
            OutputFormat.Csv => new CsvFormat(),
            OutputFormat.Json => new JsonFormat(isQuoted: false),
            OutputFormat.QuotedJson => new JsonFormat(isQuoted: true),
            _ => new StandardFormat(),
        };
}
