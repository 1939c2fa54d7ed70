// BITCOUNT key [start [end [BYTE | BIT]]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>Counts the set bits of a string or of part of it.</summary>
internal static class BitCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BITCOUNT",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Bitmap,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!BitRange.TryParse(ref context, 2, out BitRange range))
            return;
        CountReader reader = new(range);
        if (context.Read(1, RecordType.String, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Count);
    }

    private struct CountReader(BitRange range) : IValueReader
    {
        public long Count { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            (long first, long last) = range.InString(value.Length);
            Count = range.IsCrossed ? 0 : BitScan.Count(value, first, last);
        }
    }
}
