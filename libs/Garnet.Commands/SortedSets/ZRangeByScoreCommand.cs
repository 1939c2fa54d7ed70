// ZRANGEBYSCORE key min max [WITHSCORES] [LIMIT offset count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the members in a range of scores.</summary>
internal static class ZRangeByScoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZRANGEBYSCORE",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "1.0.5",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RangeReply.Execute(ref context, RangeForm.Forward(RangeKind.Score));
}
