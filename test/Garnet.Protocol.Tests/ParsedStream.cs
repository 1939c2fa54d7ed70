// Runs a parser over input that arrives in pieces, as a session would: unfinished bytes move to the front, tables are cleared between
// batches.
using System.Text;

namespace Garnet.Protocol.Tests;

/// <summary>Collects what a stream of requests parses to, however it is cut.</summary>
internal sealed class ParsedStream
{
    private readonly RequestParser _parser;
    private readonly ArgumentTable _table = new() { External = new KeptArguments() };
    private byte[] _kept = [];
    private int _detachedBytes;

    public ParsedStream(RequestParser? parser = null) => _parser = parser ?? new RequestParser();

    /// <summary>The complete requests; each argument is Latin-1 text in brackets.</summary>
    public List<string> Requests { get; } = [];

    /// <summary>The error text, once there is one.</summary>
    public string? Error { get; private set; }

    /// <summary>Bytes of the unfinished request that are still kept, or were when its arguments were detached.</summary>
    public int KeptBytes => _kept.Length + _detachedBytes;

    /// <summary>Whether the arguments of an unfinished request leave the buffer after each piece.</summary>
    public bool Detaches { get; init; }

    /// <summary>Bytes of room left before the unfinished request, so that its place changes from call to call.</summary>
    public int Lead { get; set; }

    public void Receive(ReadOnlySpan<byte> bytes)
    {
        if (Error is not null)
            return;
        byte[] buffer = [.. new byte[Lead], .. _kept, .. bytes];
        int position = Lead;
        var batch = new List<RequestRange>();
        ParseStatus status;
        while ((status = _parser.Parse(buffer, ref position, _table, out RequestRange request)) == ParseStatus.Complete)
        {
            batch.Add(request);
            _detachedBytes = 0;
        }

        foreach (RequestRange request in batch)
        {
            var text = new StringBuilder();
            for (int i = 0; i < request.ArgumentCount; i++)
                text.Append('[').Append(Encoding.Latin1.GetString(_table.Get(buffer, request.FirstArgument + i))).Append(']');
            Requests.Add(text.ToString());
        }
        _table.Clear();
        if (status == ParseStatus.Error)
            Error = Encoding.Latin1.GetString(_parser.ErrorText);
        if (Detaches && _parser.IsInArguments && Error is null)
        {
            int begin = position;
            position = _parser.Detach(buffer, _table);
            _detachedBytes += position - begin;
        }

        _kept = buffer[position..];
    }

    /// <summary>Requests and error as one text, for comparisons.</summary>
    public string Describe() => string.Join("\n", Requests) + (Error is null ? "" : "\n!" + Error);

    public static ParsedStream Of(ReadOnlySpan<byte> input, RequestParser? parser = null)
    {
        var stream = new ParsedStream(parser);
        stream.Receive(input);
        return stream;
    }

    public static byte[] Bytes(string latin1) => Encoding.Latin1.GetBytes(latin1);
}
