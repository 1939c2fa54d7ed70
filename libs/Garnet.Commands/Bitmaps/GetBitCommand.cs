// GETBIT key offset
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Bitmaps;

/// <summary>Replies with one bit of the string at a key; bits beyond its end are 0.</summary>
internal static class GetBitCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETBIT",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Bitmap,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!BitOffset.TryRead(ref context, 2, 0, out long offset))
            return;
        BitReader reader = new(offset);
        if (context.Read(1, RecordType.String, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Bit);
    }

    private struct BitReader(long offset) : IValueReader
    {
        public int Bit { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            long index = offset >> 3;
            Bit = index < value.Length ? (value[(int)index] >> (7 - (int)(offset & 7))) & 1 : 0;
        }
    }
}
