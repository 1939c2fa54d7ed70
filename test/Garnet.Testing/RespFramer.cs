// Finds the end of a reply in a growing buffer; keeps its position between calls. One owner at a time.
using System.Buffers.Text;

namespace Garnet.Testing;

/// <summary>
/// Measures RESP2 and RESP3 replies without interpreting them, independently of the product's parser, so that a defect there cannot hide
/// itself from the tests.
/// </summary>
internal struct RespFramer
{
    private int _position;
    private long _pending = 1;

    /// <summary>Starts at the beginning of a reply.</summary>
    public RespFramer() { }

    /// <summary>Looks for the end of the reply that starts at the buffer's beginning.</summary>
    /// <param name="buffer">All bytes of this reply received so far, possibly followed by later replies.</param>
    /// <param name="length">The reply's length, if it is complete.</param>
    /// <exception cref="InvalidDataException">The bytes are not RESP.</exception>
    public bool TryMeasure(ReadOnlySpan<byte> buffer, out int length)
    {
        length = 0;
        while (_pending > 0)
        {
            ReadOnlySpan<byte> rest = buffer[_position..];
            int lineEnd = rest.IndexOf("\r\n"u8);
            if (lineEnd < 1)
            {
                if (lineEnd == 0)
                    throw new InvalidDataException("An empty line where a reply was expected.");
                return false;
            }

            int used = lineEnd + 2;
            switch (rest[0])
            {
                case (byte)'+' or (byte)'-' or (byte)':' or (byte)'_' or (byte)'#' or (byte)',' or (byte)'(':
                    break;
                case (byte)'$' or (byte)'=' or (byte)'!':
                    long bytes = ParseLength(rest[1..lineEnd]);
                    if (bytes >= 0)
                    {
                        if (rest.Length < used + bytes + 2)
                            return false;
                        if (!rest.Slice(used + (int)bytes, 2).SequenceEqual("\r\n"u8))
                            throw new InvalidDataException("A bulk string is not followed by CRLF.");
                        used += (int)bytes + 2;
                    }

                    break;
                case (byte)'*' or (byte)'~' or (byte)'>':
                    _pending += Math.Max(0, ParseLength(rest[1..lineEnd]));
                    break;
                case (byte)'%':
                    _pending += 2 * ParseLength(rest[1..lineEnd]);
                    break;
                case (byte)'|':
                    _pending += (2 * ParseLength(rest[1..lineEnd])) + 1;
                    break;
                default:
                    throw new InvalidDataException($"A reply begins with byte 0x{rest[0]:x2}.");
            }

            _position += used;
            _pending--;
        }

        length = _position;
        return true;
    }

    private static long ParseLength(ReadOnlySpan<byte> digits) =>
        Utf8Parser.TryParse(digits, out long value, out int consumed) && consumed == digits.Length
            ? value
            : throw new InvalidDataException("A length is not a number.");
}
