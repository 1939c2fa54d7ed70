// ZREVRANGEBYSCORE key max min [WITHSCORES] [LIMIT offset count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the members in a range of scores, in descending order.</summary>
internal static class ZRevRangeByScoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREVRANGEBYSCORE",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RangeReply.Execute(ref context, RangeForm.Reverse(RangeKind.Score));
}
