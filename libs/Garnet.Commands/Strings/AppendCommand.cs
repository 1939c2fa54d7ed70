// APPEND key value
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Appends to the string at a key, or creates it, and replies with the new length.</summary>
internal static class AppendCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "APPEND",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Traits = CommandTraits.ChangesPart,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Event = StringEvents.Append,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        int added = context[2].Length;
        if (!StringGrowth.TryReserve(ref context, 1, 0, added))
            return;
        RecordHandle record = context.Open(1);
        if (!record.Exists)
        {
            record.Set(context[2]);
            context.Reply.WriteInteger(added);
            return;
        }

        if (record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        int length = record.Length;
        if (StringGrowth.IsTooLong(in context, length, added))
        {
            context.Reply.WriteError(ErrorText.StringTooLong);
            return;
        }

        context[2].CopyTo(record.Resize(length + added)[length..]);
        context.Reply.WriteInteger(length + added);
    }
}
