// HEXISTS key field
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Hashes;

/// <summary>Replies whether a hash has a field.</summary>
internal static class HExistsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HEXISTS",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        FieldLengthReader reader = new(context[2], context.ExpiryNowMs);
        if (context.Read(1, RecordType.Hash, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.IsFound ? 1 : 0);
    }
}
