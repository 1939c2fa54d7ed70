// Finds the ends of replies in received bytes. One per connection; one thread.
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Protocol;

namespace Garnet.Bench.Load;

/// <summary>
/// Reads RESP2 and RESP3 without keeping anything: payloads are skipped or compared where they lie, and of nested replies only the number
/// of values to come is remembered. Each byte is looked at once, wherever the bytes are cut.
/// </summary>
internal sealed class ReplyReader
{
    private const int MaxLineBytes = 64 * 1024;
    private const long MaxBulkBytes = 512L * 1024 * 1024;
    private const long MaxValues = 64L * 1024 * 1024;
    private const int MaxErrorBytes = 200;

    // Stands for the type of a reply of which only attributes have come.
    private const byte AttributeOnly = 0;

    // A line that is cut, up to where the bytes ended.
    private readonly List<byte> _line = [];
    private readonly List<byte> _error = [];

    // Of the payload being skipped: its bytes still to come, then those of its line end.
    private long _payload;
    private int _lineEnd;
    private long _payloadRead;

    // Values that the reply still needs; 0 between replies.
    private long _values;
    private byte _type;
    private bool _isNull;
    private bool _isWrong;
    private bool _isPush;
    private bool _keepsError;

    private ReadOnlyMemory<byte> _expected;
    private bool _isExpecting;

    /// <summary>Whether a reply has begun and is not complete.</summary>
    public bool IsMidReply => _values > 0 || _line.Count > 0;

    /// <summary>The text of the last error, shortened.</summary>
    public string ErrorText => Encoding.UTF8.GetString([.. _error]);

    /// <summary>The next reply has to be null or these bytes; called before its first byte is read.</summary>
    public void Expect(ReadOnlyMemory<byte> value)
    {
        _expected = value;
        _isExpecting = true;
    }

    /// <summary>Takes the next reply; pushes and attributes are skipped.</summary>
    /// <param name="data">Received bytes; all of them are consumed before false is returned.</param>
    /// <param name="at">In and out: how many have been consumed.</param>
    /// <param name="reply">The reply.</param>
    /// <returns>Whether a reply was completed.</returns>
    /// <exception cref="ReplyFormatException">The bytes are not RESP.</exception>
    public bool TryRead(ReadOnlySpan<byte> data, ref int at, out Reply reply)
    {
        reply = default;
        while (at < data.Length)
        {
            if (_payload > 0 || _lineEnd > 0)
                SkipPayload(data, ref at);
            else if (TryTakeLine(data, ref at, out ReadOnlySpan<byte> line))
                Interpret(line);
            else
                return false;
            if (_payload == 0 && _lineEnd == 0 && _values == 0 && Finish(out reply))
                return true;
        }

        return false;
    }

    // False for a push, after which the reply itself is still to come.
    private bool Finish(out Reply reply)
    {
        reply = new Reply(_type, _isNull, _isWrong);
        bool isReply = !_isPush;
        _isPush = false;
        if (isReply)
            _isExpecting = false;
        return isReply;
    }

    private void SkipPayload(ReadOnlySpan<byte> data, ref int at)
    {
        int part = (int)Math.Min(_payload, data.Length - at);
        if (part > 0)
        {
            Compare(data.Slice(at, part));
            Keep(data.Slice(at, part));
            at += part;
            _payload -= part;
            _payloadRead += part;
        }

        for (; _payload == 0 && _lineEnd > 0 && at < data.Length; _lineEnd--)
        {
            if (data[at++] != (_lineEnd == 2 ? (byte)'\r' : (byte)'\n'))
                throw new ReplyFormatException("a reply's payload is longer than its header says");
        }

        if (_payload == 0 && _lineEnd == 0)
            _values--;
    }

    private void Compare(ReadOnlySpan<byte> part)
    {
        if (!_isExpecting || _isWrong || _isPush)
            return;
        _isWrong =
            _payloadRead + part.Length > _expected.Length || !part.SequenceEqual(_expected.Span.Slice((int)_payloadRead, part.Length));
    }

    private void Keep(ReadOnlySpan<byte> part)
    {
        if (_keepsError && _error.Count < MaxErrorBytes)
            _error.AddRange(part[..Math.Min(part.Length, MaxErrorBytes - _error.Count)]);
    }

    private bool TryTakeLine(ReadOnlySpan<byte> data, ref int at, out ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> rest = data[at..];
        int end = rest.IndexOf((byte)'\n');
        if (end < 0)
        {
            CheckStart(_line.Count > 0 ? _line[0] : rest[0]);
            if (_line.Count + rest.Length > MaxLineBytes)
                throw new ReplyFormatException($"a line of a reply is longer than {MaxLineBytes} bytes");
            _line.AddRange(rest);
            at = data.Length;
            line = default;
            return false;
        }

        at += end + 1;
        line = rest[..(end + 1)];
        if (_line.Count > 0)
        {
            _line.AddRange(line);
            line = CollectionsMarshal.AsSpan(_line);
            _line.Clear();
        }

        if (line.Length < 3 || line[^2] != (byte)'\r')
        {
            CheckStart(line[0]);
            throw new ReplyFormatException("a line of a reply does not end in CR LF");
        }

        line = line[..^2];
        return true;
    }

    // A server that speaks something else is recognised by its first byte, without waiting for a line to end.
    private static void CheckStart(byte type)
    {
        if (!"+-:$*_#,(!=%~>|"u8.Contains(type))
            throw new ReplyFormatException(NotResp(type));
    }

    private static string NotResp(byte type) =>
        type switch
        {
            (byte)'H' or (byte)'<' => "it answers like a web server; give the port of its RESP endpoint",
            0x15 or 0x16 => "it answers in TLS; add --tls",
            _ => $"its reply begins with byte {type}, which is not RESP; give the port of its RESP endpoint",
        };

    private void Interpret(ReadOnlySpan<byte> line)
    {
        byte type = line[0];
        ReadOnlySpan<byte> rest = line[1..];
        bool isTop = _values == 0 || (_values == 1 && _type == AttributeOnly);
        if (isTop)
            Begin(type);
        switch (type)
        {
            case (byte)'+' or (byte)':' or (byte)'#' or (byte)',' or (byte)'(' or (byte)'-':
                _values--;
                _isWrong |= _isExpecting && isTop && type != (byte)'-';
                Keep(rest);
                break;
            case (byte)'_':
                _isNull |= isTop;
                _values--;
                break;
            case (byte)'$' or (byte)'!' or (byte)'=':
                BeginPayload(type, Number(rest), isTop);
                break;
            case (byte)'*' or (byte)'~' or (byte)'%' or (byte)'>' or (byte)'|':
                BeginAggregate(type, Number(rest), isTop);
                break;
            default:
                throw new ReplyFormatException(NotResp(type));
        }
    }

    private void Begin(byte type)
    {
        _values = 1;
        _type = type;
        _isNull = _isWrong = false;
        _keepsError = type is (byte)'-' or (byte)'!';
        if (_keepsError)
            _error.Clear();
    }

    private void BeginPayload(byte type, long length, bool isTop)
    {
        if (length == -1 && type == (byte)'$')
        {
            _isNull |= isTop;
            _values--;
            return;
        }

        if (length < 0 || length > MaxBulkBytes)
            throw new ReplyFormatException("the length of a reply is out of range");
        _isWrong |= _isExpecting && isTop && type != (byte)'!' && length != _expected.Length;
        _payload = length;
        _payloadRead = 0;
        _lineEnd = 2;
    }

    private void BeginAggregate(byte type, long count, bool isTop)
    {
        if (count == -1 && type == (byte)'*')
        {
            _isNull |= isTop;
            _values--;
            return;
        }

        if (count < 0 || count > MaxValues || _values + 2 * count > MaxValues)
            throw new ReplyFormatException("a reply has too many elements");
        _values += type is (byte)'%' or (byte)'|' ? 2 * count : count;
        // An attribute precedes the value that it belongs to, which is still to come.
        if (type == (byte)'|')
        {
            if (isTop)
                _type = AttributeOnly;
            return;
        }

        _values--;
        _isPush |= isTop && type == (byte)'>';
        _isWrong |= _isExpecting && isTop && !_isPush;
    }

    private static long Number(ReadOnlySpan<byte> text) =>
        IntegerText.TryParse(text, out long value) ? value : throw new ReplyFormatException("a length of a reply is not a number");
}
