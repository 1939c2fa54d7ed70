// STRLEN key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the length of the string at a key.</summary>
internal static class StrLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "STRLEN",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        LengthReader reader = default;
        if (context.Read(1, RecordType.String, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Length);
    }
}
