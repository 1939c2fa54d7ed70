// INCRBY key increment
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Adds to the integer at a key and replies with the sum.</summary>
internal static class IncrByCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INCRBY",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = StringEvents.IncrBy,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.TryGetInteger(2, out long increment))
            Add(ref context, increment);
    }

    /// <summary>Adds to the integer at the key in argument 1; an absent key counts as 0, and an expiry is kept.</summary>
    internal static void Add(ref CommandContext context, long increment)
    {
        RecordHandle record = context.Open(1);
        long value = 0;
        if (record.Exists)
        {
            if (record.Type != RecordType.String)
            {
                context.Reply.WriteError(ErrorText.WrongType);
                return;
            }

            if (!IntegerText.TryParse(record.Value, out value))
            {
                context.Reply.WriteError(ErrorText.NotInteger);
                return;
            }
        }

        long sum = unchecked(value + increment);
        if (((value ^ sum) & (increment ^ sum)) < 0)
        {
            context.Reply.WriteError("ERR increment or decrement would overflow"u8);
            return;
        }

        Span<byte> text = stackalloc byte[IntegerText.MaxLength];
        record.SetKeepingExpiry(text[..IntegerText.Format(sum, text)]);
        context.Reply.WriteInteger(sum);
    }
}
