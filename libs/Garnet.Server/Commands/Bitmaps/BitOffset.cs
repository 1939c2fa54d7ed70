// Reads the offset of a bit from an argument. Stateless.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Commands.Strings;

namespace Garnet.Server.Commands.Bitmaps;

/// <summary>Bit offsets count from the highest bit of the first byte.</summary>
internal static class BitOffset
{
    /// <summary>Reads an offset that lies within the longest string; writes the error and returns false otherwise.</summary>
    /// <param name="context">The command.</param>
    /// <param name="index">Argument index of the offset.</param>
    /// <param name="unit">Bits that an offset written as <c>#n</c> counts in; 0 when that form is not allowed.</param>
    /// <param name="offset">Receives the offset in bits.</param>
    public static bool TryRead(ref CommandContext context, int index, int unit, out long offset)
    {
        ReadOnlySpan<byte> text = context[index];
        bool counted = unit > 0 && !text.IsEmpty && text[0] == (byte)'#';
        bool isNumber = IntegerText.TryParse(counted ? text[1..] : text, out offset);
        if (counted)
            offset = unchecked(offset * unit);
        if (isNumber && offset >= 0 && offset >> 3 < StringGrowth.Limit(in context))
            return true;
        context.Reply.WriteError("ERR bit offset is not an integer or out of range"u8);
        return false;
    }
}
