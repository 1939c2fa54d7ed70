// ZRANGE key start stop [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the members in a range of ranks, scores or names.</summary>
internal static class ZRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZRANGE",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RangeReply.Execute(ref context, RangeForm.Any);
}
