// The reply of a command that a module called. Lives on the stack.
using System.Buffers.Text;
using Garnet.Protocol;

namespace Garnet.Modules;

/// <summary>A reply, or an element of one. Valid until the module's command makes its next call.</summary>
public readonly ref struct CallReply
{
    private readonly ReadOnlySpan<byte> _rest; // of an array: its elements, and what follows

    internal CallReply(ReadOnlySpan<byte> reply, out int length)
    {
        int lineEnd = reply.IndexOf((byte)'\r');
        ReadOnlySpan<byte> line = reply[1..lineEnd];
        length = lineEnd + 2;
        switch (reply[0])
        {
            case (byte)'+':
                Kind = ReplyKind.Status;
                Bytes = line;
                break;
            case (byte)'-':
                Kind = ReplyKind.Error;
                Bytes = line;
                break;
            case (byte)':':
                (Kind, Integer) = (ReplyKind.Integer, Number(line));
                break;
            case (byte)'#':
                (Kind, Integer) = (ReplyKind.Boolean, line[0] == 't' ? 1 : 0);
                break;
            case (byte)'_':
                Kind = ReplyKind.Null;
                break;
            case (byte)',' or (byte)'(':
                Kind = ReplyKind.Bulk;
                Bytes = line;
                break;
            case (byte)'$' or (byte)'=' when Number(line) is >= 0 and var bytes:
                int skipped = reply[0] == '=' ? 4 : 0;
                Kind = ReplyKind.Bulk;
                Bytes = reply.Slice(length + skipped, (int)bytes - skipped);
                length += (int)bytes + 2;
                break;
            case (byte)'*' or (byte)'~' or (byte)'>' or (byte)'%' when Number(line) is >= 0 and var count:
                Kind = ReplyKind.Array;
                Count = (int)count * (reply[0] == '%' ? 2 : 1);
                _rest = reply[length..];
                length += Skip(_rest, Count);
                break;
        }
    }

    /// <summary>What it is.</summary>
    public ReplyKind Kind { get; }

    /// <summary>Whether it is an error.</summary>
    public bool IsError => Kind == ReplyKind.Error;

    /// <summary>Whether there is no value.</summary>
    public bool IsNull => Kind == ReplyKind.Null;

    /// <summary>The bytes of a status, an error or a bulk string; empty for others.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>The integer; 0 for other kinds.</summary>
    public long Integer { get; }

    /// <summary>The number of elements of an array; 0 for other kinds.</summary>
    public int Count { get; }

    /// <summary>The bytes of a bulk string as an integer; false when it is none.</summary>
    public bool TryGetInteger(out long value)
    {
        value = Integer;
        return Kind == ReplyKind.Integer || (Kind == ReplyKind.Bulk && IntegerText.TryParse(Bytes, out value));
    }

    /// <summary>The elements of an array, for <c>foreach</c>.</summary>
    public Enumerator GetEnumerator() => new(_rest, Count);

    private static long Number(ReadOnlySpan<byte> digits) => Utf8Parser.TryParse(digits, out long value, out _) ? value : -1;

    private static int Skip(ReadOnlySpan<byte> elements, int count)
    {
        int skipped = 0;
        for (; count > 0; count--)
        {
            _ = new CallReply(elements[skipped..], out int length);
            skipped += length;
        }

        return skipped;
    }

    /// <summary>Enumerates the elements of an array.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<byte> _rest;
        private int _left;

        internal Enumerator(ReadOnlySpan<byte> rest, int count)
        {
            _rest = rest;
            _left = count;
        }

        /// <summary>The current element.</summary>
        public CallReply Current { get; private set; }

        /// <summary>Goes to the next one; false after the last.</summary>
        public bool MoveNext()
        {
            if (_left-- <= 0)
                return false;
            Current = new CallReply(_rest, out int length);
            _rest = _rest[length..];
            return true;
        }
    }
}
