// ZCARD key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the number of members.</summary>
internal static class ZCardCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZCARD",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        CardinalityReader reader = default;
        if (context.Read(1, RecordType.SortedSet, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Length);
    }
}
