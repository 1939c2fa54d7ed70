// LLEN key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Lists;

/// <summary>Replies with the number of elements of a list.</summary>
internal static class LLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LLEN",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ListLengthReader reader = default;
        if (context.Read(1, RecordType.List, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Length);
    }
}
