// ZREVRANGEBYLEX key max min [LIMIT offset count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the members in a lexicographic range, where all scores are equal, in descending order.</summary>
internal static class ZRevRangeByLexCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZREVRANGEBYLEX",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "2.8.9",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => RangeReply.Execute(ref context, RangeForm.Reverse(RangeKind.Member));
}
