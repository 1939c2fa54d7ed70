// HSTRLEN key field
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the length of a field's value, 0 if the field does not exist.</summary>
internal static class HStrLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HSTRLEN",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "3.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        FieldLengthReader reader = new(context[2], context.ExpiryNowMs);
        if (context.Read(1, RecordType.Hash, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Length);
    }
}
