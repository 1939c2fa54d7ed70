// Parses the operations of BITFIELD. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Commands.Bitmaps;

/// <summary>
/// Grammar: <c>GET type offset | SET type offset value | INCRBY type offset increment | OVERFLOW (WRAP | SAT | FAIL)</c>, repeated.
/// </summary>
internal static class BitFieldParser
{
    /// <summary>Maximum number of operations in a call's arguments.</summary>
    public static int MaxOperations(in CommandContext context) => (context.Count / 3) + 1;

    /// <summary>Parses all operations; writes the error and returns false if one is invalid.</summary>
    public static bool TryParse(ref CommandContext context, Span<BitFieldOperation> operations, out int count)
    {
        count = 0;
        BitFieldOverflow overflow = BitFieldOverflow.Wrap;
        for (int i = 2; i < context.Count; )
        {
            if (context.Is(i, "OVERFLOW"u8) && i + 1 < context.Count)
            {
                if (!TryParseOverflow(ref context, i + 1, out overflow))
                    return false;
                i += 2;
                continue;
            }

            BitFieldKind kind = KindOf(in context, i);
            int arguments = kind == BitFieldKind.Get ? 2 : 3;
            if ((kind == BitFieldKind.Get && !context.Is(i, "GET"u8)) || i + arguments >= context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }

            if (
                !TryParseType(ref context, i + 1, out bool isSigned, out int bits)
                || !BitOffset.TryRead(ref context, i + 2, bits, out long offset)
            )
            {
                return false;
            }

            long argument = 0;
            if (kind != BitFieldKind.Get && !context.TryGetInteger(i + 3, out argument))
                return false;
            operations[count++] = new BitFieldOperation(kind, overflow, isSigned, bits, offset, argument);
            i += arguments + 1;
        }

        return true;
    }

    private static BitFieldKind KindOf(in CommandContext context, int index) =>
        context.Is(index, "SET"u8) ? BitFieldKind.Set
        : context.Is(index, "INCRBY"u8) ? BitFieldKind.IncrBy
        : BitFieldKind.Get;

    private static bool TryParseOverflow(ref CommandContext context, int index, out BitFieldOverflow overflow)
    {
        overflow = BitFieldOverflow.Wrap;
        if (context.Is(index, "WRAP"u8))
            return true;
        overflow = BitFieldOverflow.Saturate;
        if (context.Is(index, "SAT"u8))
            return true;
        overflow = BitFieldOverflow.Fail;
        if (context.Is(index, "FAIL"u8))
            return true;
        context.Reply.WriteError("ERR Invalid OVERFLOW type specified"u8);
        return false;
    }

    // i1 to i64, u1 to u63.
    private static bool TryParseType(ref CommandContext context, int index, out bool isSigned, out int bits)
    {
        ReadOnlySpan<byte> text = context[index];
        isSigned = !text.IsEmpty && text[0] == (byte)'i';
        long width = 0;
        bool valid = (isSigned || (!text.IsEmpty && text[0] == (byte)'u')) && IntegerText.TryParse(text[1..], out width);
        bits = (int)width;
        if (valid && width >= 1 && width <= (isSigned ? 64 : 63))
            return true;
        context.Reply.WriteError("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."u8);
        return false;
    }
}
