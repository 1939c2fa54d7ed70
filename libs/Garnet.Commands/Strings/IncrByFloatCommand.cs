// INCRBYFLOAT key increment
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Adds to the number at a key, in 80-bit floating point, and replies with the sum.</summary>
internal static class IncrByFloatCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INCRBYFLOAT",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = StringEvents.IncrByFloat,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        LongDouble value = default;
        if (
            (record.Exists && !LongDoubleText.TryParse(record.Value, out value))
            || !LongDoubleText.TryParse(context[2], out LongDouble increment)
        )
        {
            context.Reply.WriteError(ErrorText.NotFloat);
            return;
        }

        LongDouble sum = value + increment;
        if (!sum.IsFinite)
        {
            context.Reply.WriteError("ERR increment would produce NaN or Infinity"u8);
            return;
        }

        Span<byte> text = stackalloc byte[LongDoubleText.MaxLength];
        text = text[..LongDoubleText.Format(sum, text)];
        record.SetKeepingExpiry(text);
        record.MarkComputed();
        SetEffect.KeepingExpiry(ref context, 1, text);
        context.Reply.WriteBulk(text);
    }
}
