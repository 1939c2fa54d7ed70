// HLEN key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the number of fields of a hash; expired ones count until they are removed.</summary>
internal static class HLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HLEN",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        FieldCountReader reader = default;
        if (context.Read(1, RecordType.Hash, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Count);
    }
}
