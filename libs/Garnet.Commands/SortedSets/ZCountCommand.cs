// ZCOUNT key min max
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the number of members with scores in a range.</summary>
internal static class ZCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZCOUNT",
        Arity = 4,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !RangeArguments.TryGetScores(ref context, 2, 3, out ScoreRange range)
            || !SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members)
        )
        {
            return;
        }

        context.Reply.WriteInteger(members.Exists ? members.RanksOf(range).Count : 0);
    }
}
