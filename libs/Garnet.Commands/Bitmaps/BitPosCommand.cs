// BITPOS key bit [start [end [BYTE | BIT]]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>Finds the first set or clear bit in a string or in part of it.</summary>
internal static class BitPosCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BITPOS",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Bitmap,
        Since = "2.8.7",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context.TryGetInteger(2, out long bit))
            return;
        if (bit is not (0 or 1))
        {
            context.Reply.WriteError("ERR The bit argument must be 1 or 0."u8);
            return;
        }

        if (!BitRange.TryParse(ref context, 3, out BitRange range))
            return;
        PositionReader reader = new(range, bit == 1);
        ReadOutcome outcome = context.Read(1, RecordType.String, ref reader);
        if (outcome == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else if (outcome == ReadOutcome.Missing)
            context.Reply.WriteInteger(bit == 1 ? -1 : 0);
        else
            context.Reply.WriteInteger(reader.Position);
    }

    private struct PositionReader(BitRange range, bool set) : IValueReader
    {
        public long Position { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            (long first, long last) = range.InString(value.Length);
            Position = BitScan.Find(value, first, last, set);

            // Without an end, the string counts as followed by zeros; an empty range contains no bits at all.
            if (Position < 0 && !set && !range.HasEnd && first <= last)
                Position = last + 1;
        }
    }
}
