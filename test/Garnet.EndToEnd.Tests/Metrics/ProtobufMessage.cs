// A Protocol Buffers message, parsed by field numbers. Immutable.
using System.Text;

namespace Garnet.EndToEnd.Tests.Metrics;

/// <summary>Knows only the wire format; the caller knows the meaning of the fields.</summary>
internal sealed class ProtobufMessage
{
    private readonly List<(int Field, ReadOnlyMemory<byte> Bytes)> _fields = [];

    public ProtobufMessage(ReadOnlyMemory<byte> bytes)
    {
        int position = 0;
        while (position < bytes.Length)
        {
            ulong tag = Number(bytes.Span, ref position);
            int start = position;
            int length = (int)(tag & 7) switch
            {
                0 => LengthOfNumber(bytes.Span, position),
                1 => 8,
                2 => (int)Number(bytes.Span, ref position),
                5 => 4,
                int type => throw new FormatException($"Wire type {type} at {start}."),
            };
            _fields.Add(((int)(tag >> 3), bytes.Slice(position, length)));
            position += length;
        }
    }

    /// <summary>The messages in a field, which may be repeated.</summary>
    public IEnumerable<ProtobufMessage> Messages(int field) => All(field).Select(static bytes => new ProtobufMessage(bytes));

    /// <summary>The text in a field; empty if there is none.</summary>
    public string Text(int field) => Encoding.UTF8.GetString(All(field).FirstOrDefault().Span);

    private IEnumerable<ReadOnlyMemory<byte>> All(int field) => from held in _fields where held.Field == field select held.Bytes;

    private static int LengthOfNumber(ReadOnlySpan<byte> bytes, int position)
    {
        int end = position;
        Number(bytes, ref end);
        return end - position;
    }

    private static ulong Number(ReadOnlySpan<byte> bytes, ref int position)
    {
        ulong number = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = bytes[position++];
            number |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
                return number;
        }
    }
}
