// The options of LPOS. Immutable.
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Which matches to return.</summary>
/// <param name="Rank">Number of the first match to return, from 1.</param>
/// <param name="IsReverse">Whether the search starts at the end of the list.</param>
/// <param name="Count">Number of matches to return, 0 for all; -1 for a single match without COUNT.</param>
/// <param name="MaxCompared">Maximum number of elements to compare, 0 for all.</param>
internal readonly record struct PositionOptions(long Rank, bool IsReverse, long Count, long MaxCompared)
{
    /// <summary>Parses the options; writes the error and returns false if they are invalid.</summary>
    public static bool TryParse(ref CommandContext context, out PositionOptions options)
    {
        options = default;
        long rank = 1;
        long count = -1;
        long maxCompared = 0;
        for (int i = 3; i < context.Count; i += 2)
        {
            bool isKnown = false;
            if (i + 1 < context.Count && context.Is(i, "RANK"u8))
                isKnown = TryGetRank(ref context, i + 1, out rank);
            else if (i + 1 < context.Count && context.Is(i, "COUNT"u8))
                isKnown = BoundedArgument.TryGet(ref context, i + 1, 0, long.MaxValue, out count, "ERR COUNT can't be negative"u8);
            else if (i + 1 < context.Count && context.Is(i, "MAXLEN"u8))
                isKnown = BoundedArgument.TryGet(ref context, i + 1, 0, long.MaxValue, out maxCompared, "ERR MAXLEN can't be negative"u8);
            else
                context.Reply.WriteError(ErrorText.Syntax);
            if (!isKnown)
                return false;
        }

        options = new PositionOptions(Math.Abs(rank), rank < 0, count, maxCompared);
        return true;
    }

    /// <summary>The search with these options; its first matches may be before the rank.</summary>
    public ListSearch SearchIn(in ListValue list, ReadOnlySpan<byte> element) =>
        list.Search(element, MaxCompared == 0 ? list.Length : MaxCompared, IsReverse);

    private static bool TryGetRank(ref CommandContext context, int index, out long rank)
    {
        if (!BoundedArgument.TryGet(ref context, index, -long.MaxValue, long.MaxValue, out rank))
            return false;
        if (rank != 0)
            return true;
        context.Reply.WriteError(
            "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list"u8
        );
        return false;
    }
}
