// ZLEXCOUNT key min max
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the number of members in a lexicographic range, where all scores are equal.</summary>
internal static class ZLexCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZLEXCOUNT",
        Arity = 4,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "2.8.9",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !RangeArguments.TryGetMembers(ref context, 2, 3, out LexRange range)
            || !SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members)
        )
        {
            return;
        }

        context.Reply.WriteInteger(members.Exists ? members.RanksOf(range).Count : 0);
    }
}
