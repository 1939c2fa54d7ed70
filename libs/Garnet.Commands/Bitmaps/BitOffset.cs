// Parses bit offsets. Stateless.
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Commands.Bitmaps;

/// <summary>Parses bit offsets, which count from the most significant bit of the first byte.</summary>
internal static class BitOffset
{
    /// <summary>Parses an offset; writes the error and returns false if it is invalid or beyond the maximum string length.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="index">Index of the offset among the arguments.</param>
    /// <param name="unit">Width in bits that an offset in the form <c>#n</c> is multiplied by; 0 if that form is not allowed.</param>
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
