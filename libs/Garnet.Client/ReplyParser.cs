// Parses bytes into replies, resumable at any byte. One parser per connection; one thread at a time.
using System.Globalization;
using System.Text;
using Garnet.Protocol;

namespace Garnet.Client;

/// <summary>
/// Reads replies of RESP2 and RESP3. Every finished part of a reply is consumed at once, so the caller keeps only the unfinished line or
/// payload; declared lengths and counts allocate nothing, nesting uses no call stack.
/// </summary>
internal sealed class ReplyParser(ReplyLimits? limits = null)
{
    private const int VerbatimPrefixBytes = 4;

    private readonly ReplyLimits _limits = limits ?? ReplyLimits.Default;
    private readonly Stack<Frame> _open = new();
    private IReadOnlyList<RespValue>? _attributes;
    private int _elements;
    private long _bytes;
    private int _scanned;

    // Type and length of the bulk string whose header is consumed, or -1.
    private byte _bulkType;
    private int _bulkLength = -1;

    /// <summary>True when a reply has begun and is not complete.</summary>
    public bool IsMidReply => _open.Count != 0 || _bulkLength >= 0 || _attributes is not null || _scanned != 0;

    /// <summary>Takes the next complete reply out of the buffer.</summary>
    /// <param name="buffer">
    /// The received bytes: those after <paramref name="position"/> that were not consumed by the previous call, followed by new ones.
    /// </param>
    /// <param name="position">In and out: the number of bytes of the buffer consumed so far.</param>
    /// <returns>The reply, or null when it is not complete yet.</returns>
    /// <exception cref="RespProtocolException">The bytes are not a reply, or exceed a limit.</exception>
    public RespValue? Parse(ReadOnlySpan<byte> buffer, ref int position)
    {
        while (true)
        {
            RespValue? value;
            if (_bulkLength >= 0)
            {
                value = TakeBulk(buffer, ref position);
                if (value is null)
                    return null;
            }
            else
            {
                if (!TryTakeLine(buffer, ref position, out ReadOnlySpan<byte> line))
                    return null;
                value = Interpret(line[0], line[1..]);
            }
            if (value is not null && Complete(value) is { } reply)
                return reply;
        }
    }

    // Adds a finished value to the innermost open aggregate; returns the reply when that closes the outermost one.
    private RespValue? Complete(RespValue value)
    {
        while (true)
        {
            if (_open.Count == 0)
            {
                (_elements, _bytes) = (0, 0);
                return value;
            }
            Frame frame = _open.Peek();
            frame.Children.Add(value);
            if (frame.Children.Count < frame.Count)
                return null;
            _open.Pop();
            if (frame.IsAttribute)
            {
                // Belongs to the value that comes next, on the same level.
                _attributes = frame.Children;
                return null;
            }
            value = new RespValue
            {
                Kind = frame.Kind,
                Children = frame.Children,
                Attributes = frame.Attributes,
            };
        }
    }

    private RespValue? TakeBulk(ReadOnlySpan<byte> buffer, ref int position)
    {
        int length = _bulkLength;
        if (buffer.Length - position - 2 < length)
            return null;
        if (buffer[position + length] != (byte)'\r' || buffer[position + length + 1] != (byte)'\n')
            throw new RespProtocolException("A bulk string is not followed by a line end.");
        ReadOnlySpan<byte> payload = buffer.Slice(position, length);
        position += length + 2;
        _bulkLength = -1;
        if (_bulkType != (byte)'=')
            return Value(_bulkType == (byte)'$' ? RespKind.BulkString : RespKind.BulkError, payload);
        if (length < VerbatimPrefixBytes || payload[VerbatimPrefixBytes - 1] != (byte)':')
            throw new RespProtocolException("A verbatim string has no format.");
        return new RespValue
        {
            Kind = RespKind.VerbatimString,
            Format = Encoding.Latin1.GetString(payload[..(VerbatimPrefixBytes - 1)]),
            Bytes = payload[VerbatimPrefixBytes..].ToArray(),
            Attributes = TakeAttributes(),
        };
    }

    // Gives a line without its end, type first. Looks at no byte twice.
    private bool TryTakeLine(ReadOnlySpan<byte> buffer, ref int position, out ReadOnlySpan<byte> line)
    {
        int found = buffer[(position + _scanned)..].IndexOf((byte)'\n');
        int length = found < 0 ? buffer.Length - position : _scanned + found;
        if (length > _limits.MaxLineBytes)
            throw new RespProtocolException("A line of a reply is too long.");
        _scanned = found < 0 ? length : 0;
        line = default;
        if (found < 0)
            return false;
        if (length < 2 || buffer[position + length - 1] != (byte)'\r')
            throw new RespProtocolException("A line of a reply does not end in CR LF.");
        if (++_elements > _limits.MaxElements)
            throw new RespProtocolException("A reply has too many elements.");
        Count(length + 1);
        line = buffer.Slice(position, length - 1);
        position += length + 1;
        return true;
    }

    // Null when the line began something longer.
    private RespValue? Interpret(byte type, ReadOnlySpan<byte> rest)
    {
        switch (type)
        {
            case (byte)'+':
                return Value(RespKind.SimpleString, rest);
            case (byte)'-':
                return Value(RespKind.Error, rest);
            case (byte)':':
                return new RespValue
                {
                    Kind = RespKind.Integer,
                    Integer = Number(rest),
                    Attributes = TakeAttributes(),
                };
            case (byte)'_' when rest.IsEmpty:
                return Value(RespKind.Null, rest);
            case (byte)'#' when rest.Length == 1 && rest[0] is (byte)'t' or (byte)'f':
                return new RespValue
                {
                    Kind = RespKind.Boolean,
                    Integer = rest[0] == (byte)'t' ? 1 : 0,
                    Attributes = TakeAttributes(),
                };
            case (byte)',':
                return new RespValue
                {
                    Kind = RespKind.Double,
                    Double = Floating(rest),
                    Bytes = rest.ToArray(),
                    Attributes = TakeAttributes(),
                };
            case (byte)'(':
                return Value(RespKind.BigNumber, rest);
            case (byte)'$' or (byte)'!' or (byte)'=':
                return OpenBulk(type, Number(rest));
            case (byte)'*' or (byte)'~' or (byte)'>' or (byte)'%' or (byte)'|':
                return OpenAggregate(type, Number(rest));
            default:
                throw new RespProtocolException(
                    $"A reply begins with byte {type.ToString(CultureInfo.InvariantCulture)}, which is none of RESP's."
                );
        }
    }

    private RespValue? OpenBulk(byte type, long length)
    {
        if (length == -1 && type == (byte)'$')
            return Value(RespKind.NullBulkString, default);
        if (length < 0 || length > _limits.MaxBulkBytes)
            throw new RespProtocolException("A bulk string's length is out of range.");
        Count(length + 2);
        _bulkType = type;
        _bulkLength = (int)length;
        return null;
    }

    private void Count(long bytes)
    {
        _bytes += bytes;
        if (_bytes > _limits.MaxReplyBytes)
            throw new RespProtocolException("A reply is too large.");
    }

    private RespValue? OpenAggregate(byte type, long count)
    {
        if (count == -1 && type == (byte)'*')
            return Value(RespKind.NullArray, default);
        long children = type is (byte)'%' or (byte)'|' ? count * 2 : count;
        if (count < 0 || count > _limits.MaxElements || children > _limits.MaxElements - _elements)
            throw new RespProtocolException("A reply has too many elements.");
        if (_open.Count >= _limits.MaxDepth)
            throw new RespProtocolException("A reply is nested too deeply.");
        RespKind kind = type switch
        {
            (byte)'~' => RespKind.Set,
            (byte)'>' => RespKind.Push,
            (byte)'%' => RespKind.Map,
            _ => RespKind.Array,
        };
        IReadOnlyList<RespValue>? attributes = TakeAttributes();
        if (children == 0 && type == (byte)'|')
            _attributes = [];
        else if (children == 0)
            return new RespValue { Kind = kind, Attributes = attributes };
        else
            _open.Push(new Frame(kind, (int)children, type == (byte)'|', attributes));
        return null;
    }

    private RespValue Value(RespKind kind, ReadOnlySpan<byte> bytes) =>
        new()
        {
            Kind = kind,
            Bytes = bytes.ToArray(),
            Attributes = TakeAttributes(),
        };

    private IReadOnlyList<RespValue>? TakeAttributes()
    {
        IReadOnlyList<RespValue>? attributes = _attributes;
        _attributes = null;
        return attributes;
    }

    private static long Number(ReadOnlySpan<byte> text) =>
        IntegerText.TryParse(text, out long value) ? value : throw new RespProtocolException("A number of a reply is not an integer.");

    private static double Floating(ReadOnlySpan<byte> text)
    {
        if (DoubleText.TryParse(text, out double value))
            return value;
        return text.SequenceEqual("nan"u8) ? double.NaN : throw new RespProtocolException("A double of a reply is not a number.");
    }

    private sealed record Frame(RespKind Kind, int Count, bool IsAttribute, IReadOnlyList<RespValue>? Attributes)
    {
        public List<RespValue> Children { get; } = [];
    }
}
