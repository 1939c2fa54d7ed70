// ZREVRANK key member [WITHSCORE]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the rank of a member, starting at the highest score.</summary>
internal static class ZRevRankCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREVRANK",
        Arity = -3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RankReply.Execute(ref context, isReverse: true);
}
