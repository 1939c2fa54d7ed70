// SISMEMBER key member
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Sets;

/// <summary>Replies whether a set has a member.</summary>
internal static class SIsMemberCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SISMEMBER",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        MembershipReader reader = new(context[2]);
        if (context.Read(1, RecordType.Set, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.IsMember ? 1 : 0);
    }
}
