// Counts replies without building them. One thread.
using Garnet.Client;
using Garnet.Protocol;

namespace Garnet.Cli.Modes;

/// <summary>
/// Finds the ends of replies in received bytes, the texts of errors, and the reply that marks the end: millions of replies to a pipe are
/// looked at, and none is kept.
/// </summary>
/// <param name="mark">The bulk string that is the last reply.</param>
internal sealed class ReplySkimmer(byte[] mark)
{
    private const int LineEndBytes = 2;

    // Values that the open reply still lacks, and bytes of a bulk string that are yet to come.
    private long _open;
    private long _skip;

    /// <summary>Complete replies, the mark excluded.</summary>
    public long Replies { get; private set; }

    /// <summary>Replies that were errors.</summary>
    public long Errors { get; private set; }

    /// <summary>Whether the mark has arrived.</summary>
    public bool IsMarked { get; private set; }

    /// <summary>Called with the text of each error.</summary>
    public Action<ReadOnlyMemory<byte>>? OnError { get; init; }

    /// <summary>Looks at bytes.</summary>
    /// <returns>How many are done with; the rest must come again, with more behind it.</returns>
    /// <exception cref="RespProtocolException">They are no replies.</exception>
    public int Skim(ReadOnlySpan<byte> bytes)
    {
        int at = 0;
        while (true)
        {
            if (_skip > 0)
            {
                int skipped = (int)Math.Min(_skip, bytes.Length - at);
                _skip -= skipped;
                at += skipped;
                if (_skip > 0)
                    return at;
                EndValue();
            }

            int length = bytes[at..].IndexOf((byte)'\n');
            if (length < 0 && bytes.Length - at > ReplyLimits.Default.MaxLineBytes)
                throw new RespProtocolException("A line of a reply is too long.");
            if (length < 0 || !TryTake(bytes[at..], length, out int taken))
                return at;
            at += taken;
        }
    }

    // The line ends at the given length.
    private bool TryTake(ReadOnlySpan<byte> bytes, int length, out int taken)
    {
        taken = length + 1;
        if (length < 2 || bytes[length - 1] != '\r')
            throw new RespProtocolException("A line of a reply does not end in CR LF.");
        ReadOnlySpan<byte> rest = bytes[1..(length - 1)];
        switch (bytes[0])
        {
            case (byte)'+' or (byte)':' or (byte)'_' or (byte)'#' or (byte)',' or (byte)'(':
                EndValue();
                return true;
            case (byte)'-':
                RecordError(rest);
                EndValue();
                return true;
            case (byte)'$' or (byte)'!' or (byte)'=':
                return TryTakeBulk(bytes, Number(rest), ref taken);
            case (byte)'*' or (byte)'~' or (byte)'%' or (byte)'|' or (byte)'>':
                BeginAggregate(bytes[0], Number(rest));
                return true;
            default:
                throw new RespProtocolException($"A reply begins with byte {bytes[0]}, which is none of RESP's.");
        }
    }

    private bool TryTakeBulk(ReadOnlySpan<byte> bytes, long length, ref int taken)
    {
        if (length < 0)
        {
            EndValue();
            return true;
        }

        if (length > long.MaxValue - LineEndBytes)
            throw new RespProtocolException("A bulk string's length is out of range.");
        bool mayBeMark = _open == 0 && bytes[0] == '$' && length == mark.Length;
        if (mayBeMark && bytes.Length < taken + length + LineEndBytes)
            return false;
        if (bytes[0] == '!')
            RecordError("an error of several lines"u8);
        if (mayBeMark && bytes.Slice(taken, mark.Length).SequenceEqual(mark))
        {
            IsMarked = true;
            Replies--;
        }

        _skip = length + LineEndBytes;
        return true;
    }

    private void BeginAggregate(byte type, long count)
    {
        if (count > int.MaxValue)
            throw new RespProtocolException("A reply has too many elements.");
        // The attribute belongs to the value behind it; the message of a push counts as no reply.
        long values = Math.Max(count, 0) * (type is (byte)'%' or (byte)'|' ? 2 : 1);
        if (_open == 0 && type == '>')
            Replies--;
        if (_open == 0)
            _open = 1;
        _open += values;
        if (type != '|')
            EndValue();
    }

    private void EndValue()
    {
        if (_open > 0)
            _open--;
        if (_open == 0)
            Replies++;
    }

    private void RecordError(ReadOnlySpan<byte> text)
    {
        if (_open > 0)
            return;
        Errors++;
        OnError?.Invoke(text.ToArray());
    }

    private static long Number(ReadOnlySpan<byte> text) =>
        IntegerText.TryParse(text, out long value) ? value : throw new RespProtocolException("A number of a reply is not an integer.");
}
