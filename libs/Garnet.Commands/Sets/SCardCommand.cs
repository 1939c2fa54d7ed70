// SCARD key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Sets;

/// <summary>Replies with the number of members of a set.</summary>
internal static class SCardCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SCARD",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        MemberCountReader reader = default;
        if (context.Read(1, RecordType.Set, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Count);
    }
}
