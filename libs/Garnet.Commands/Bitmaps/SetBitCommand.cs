// SETBIT key offset value
using Garnet.Commands.Strings;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>Sets or clears one bit of the string at a key, which grows as needed, and replies with the bit's previous value.</summary>
internal static class SetBitCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETBIT",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Bitmap,
        Traits = CommandTraits.ChangesPart,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = BitmapEvents.SetBit,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!BitOffset.TryRead(ref context, 2, 0, out long offset))
            return;
        if (!IntegerText.TryParse(context[3], out long bit) || bit is not (0 or 1))
        {
            context.Reply.WriteError("ERR bit is not an integer or out of range"u8);
            return;
        }

        int index = (int)(offset >> 3);
        if (!StringGrowth.TryReserve(ref context, 1, index + 1L, 0))
            return;
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        byte mask = (byte)(0x80 >> (int)(offset & 7));
        bool grows = !record.Exists || index >= record.Length;
        bool old = !grows && (record.Value[index] & mask) != 0;
        if (grows || old != (bit == 1))
        {
            Span<byte> value = grows ? record.Resize(index + 1) : record.Mutate();
            value[index] = (byte)(bit == 1 ? value[index] | mask : value[index] & ~mask);
        }
        else
        {
            record.MarkEdited();
        }

        context.Reply.WriteInteger(old ? 1 : 0);
    }
}
