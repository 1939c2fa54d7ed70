// SETRANGE key offset value
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Overwrites part of the string at a key, padding it with zero bytes as needed, and replies with the new length.</summary>
internal static class SetRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETRANGE",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Traits = CommandTraits.ChangesPart,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Event = StringEvents.SetRange,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context.TryGetInteger(2, out long offset))
            return;
        if (offset < 0)
        {
            context.Reply.WriteError(ErrorText.OffsetOutOfRange);
            return;
        }

        if (context[3].IsEmpty)
            ReplyWithLength(ref context);
        else
            Overwrite(ref context, offset);
    }

    // Nothing is written, but it is a write command's lookup, which counts as neither a hit nor a miss.
    private static void ReplyWithLength(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(record.Exists ? record.Length : 0);
    }

    private static void Overwrite(ref CommandContext context, long offset)
    {
        ReadOnlySpan<byte> part = context[3];
        bool tooLong = StringGrowth.IsTooLong(in context, offset, part.Length);
        if (!tooLong && !StringGrowth.TryReserve(ref context, 1, offset + part.Length, 0))
            return;
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        if (tooLong)
        {
            context.Reply.WriteError(ErrorText.StringTooLong);
            return;
        }

        int end = (int)offset + part.Length;
        int oldLength = record.Exists ? record.Length : 0;
        Span<byte> value = end <= oldLength ? record.Mutate() : record.Resize(end);
        part.CopyTo(value[(int)offset..]);
        context.Reply.WriteInteger(value.Length);
    }
}
